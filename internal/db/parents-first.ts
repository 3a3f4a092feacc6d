/** Sorts names so that each comes after its parents; names in a cycle keep their given order. */
export function parentsFirst(
  names: readonly string[],
  parentsOf: (name: string) => readonly string[],
): string[] {
  const sorted = new Set<string>()
  const visiting = new Set<string>()
  const visit = (name: string) => {
    if (visiting.has(name) || !names.includes(name)) return
    visiting.add(name)
    for (const parent of parentsOf(name)) visit(parent)
    sorted.add(name)
  }
  for (const name of names) visit(name)
  return [...sorted]
}
