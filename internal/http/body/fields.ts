/** A form's values by field: text, or all that was sent if the field was repeated or came as JSON. */
export type Fields = ReadonlyMap<string, unknown>

/** Returns all values of a field that may be repeated, or be an array in JSON. */
export function listOf(fields: Fields, name: string): readonly unknown[] {
  const raw = fields.get(name)
  return Array.isArray(raw) ? raw : raw === undefined ? [] : [raw]
}

/** Returns a field's text: the last value sent, as is usual; a JSON `true` reads as a ticked box. */
export function textOf(fields: Fields, name: string): string {
  const raw = fields.get(name)
  const value: unknown = Array.isArray(raw) ? raw.at(-1) : raw
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return value === true ? 'on' : ''
}
