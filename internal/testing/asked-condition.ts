/** Returns which of these conditions Node was started with (`NODE_OPTIONS=--conditions=…`); undefined if none. */
export function askedCondition(among: readonly string[]): string | undefined {
  const options = process.env['NODE_OPTIONS'] ?? ''
  const asked = [...options.matchAll(/(?:--conditions[= ]|-C ?)(\w+)/g)]
  return asked.map(([, name = '']) => name).find((name) => among.includes(name))
}
