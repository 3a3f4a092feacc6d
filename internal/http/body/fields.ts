/** A form's values by field: text, or where a field was sent more than once or as JSON, what was sent. */
export type Fields = ReadonlyMap<string, unknown>

/** What was sent of a field that may come more than once, or as an array in JSON. */
export function listOf(fields: Fields, name: string): readonly unknown[] {
  const sent = fields.get(name)
  return Array.isArray(sent) ? sent : sent === undefined ? [] : [sent]
}

/** One field's text: the last sent, as browsers and people expect; a JSON `true` reads as a ticked box. */
export function textOf(fields: Fields, name: string): string {
  const sent = fields.get(name)
  const value: unknown = Array.isArray(sent) ? sent.at(-1) : sent
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return value === true ? 'on' : ''
}
