/** Returns which of these conditions Node was started with (`NODE_OPTIONS=--conditions=…`); undefined if none. */
export function nodeCondition(names: readonly string[]): string | undefined {
  const options = process.env['NODE_OPTIONS'] ?? ''
  const conditions = [...options.matchAll(/(?:--conditions[= ]|-C ?)(\w+)/g)]
  return conditions.map(([, name = '']) => name).find((name) => names.includes(name))
}
