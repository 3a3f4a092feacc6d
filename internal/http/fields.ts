/** A form's values by field: text, or where a field was sent more than once or as JSON, what was sent. */
export type Fields = ReadonlyMap<string, unknown>

/** One field's text: the last sent, as browsers and people expect; a JSON `true` reads as a ticked box. */
export function textOf(fields: Fields, name: string): string {
  const sent = fields.get(name)
  const value: unknown = Array.isArray(sent) ? sent.at(-1) : sent
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return value === true ? 'on' : ''
}
