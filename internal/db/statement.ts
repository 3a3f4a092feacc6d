/** In one line, for a message. */
export function textOfStatement(sql: TemplateStringsArray): string {
  return sql.join('?').replace(/\s+/g, ' ').trim()
}

/** Throws for a value that was forgotten, or is no number or time, and so would be kept as a NULL. `at`: its place, from 0. */
export function refuseForgotten(value: unknown, at: number, sql: TemplateStringsArray): void {
  if (value === undefined || Number.isNaN(value instanceof Date ? value.getTime() : value))
    throw new TypeError(`Value ${at + 1} is ${String(value)} in: ${textOfStatement(sql)}`)
}

// By column, of which there are as many as our statements name. A server names them with each answer: made anew, that took
// 10 µs of a visit.
const properties = new Map<string, string>()

/** The name of a property for that of a column. */
export function camelCase(column: string): string {
  const known = properties.get(column)
  if (known !== undefined) return known
  const property = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  // What an expression without a name is called may have a value in it.
  if (/^\w+$/.test(column)) properties.set(column, property)
  return property
}

/** A name as it stands in a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
