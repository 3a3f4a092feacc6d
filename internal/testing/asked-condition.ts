/** The one of these conditions that Node was started with (`NODE_OPTIONS=--conditions=…`); undefined if none was. */
export function askedCondition(among: readonly string[]): string | undefined {
  const options = process.env['NODE_OPTIONS'] ?? ''
  const asked = [...options.matchAll(/(?:--conditions[= ]|-C ?)(\w+)/g)]
  return asked.map(([, name = '']) => name).find((name) => among.includes(name))
}
