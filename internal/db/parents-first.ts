/** The names in an order in which each comes after its parents; what belongs to a circle in the order that is given. */
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
