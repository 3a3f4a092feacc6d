/** Joins a statement's text into one line for a message. */
export function textOfStatement(sql: TemplateStringsArray): string {
  return sql.join('?').replace(/\s+/g, ' ').trim()
}

/**
 * Throws for `undefined`, an invalid number or an invalid Date, which would be stored as NULL. `at`: its index, from
 * 0.
 */
export function refuseForgotten(value: unknown, at: number, sql: TemplateStringsArray): void {
  if (value === undefined || Number.isNaN(value instanceof Date ? value.getTime() : value))
    throw new TypeError(`Value ${at + 1} is ${String(value)} in: ${textOfStatement(sql)}`)
}

// Cached by column name, of which our statements have only so many. A server names the columns in every answer;
// converting them anew cost 10 µs of a visit.
const properties = new Map<string, string>()

/** Converts a column name to a property name. */
export function camelCase(column: string): string {
  const cached = properties.get(column)
  if (cached !== undefined) return cached
  const property = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  // The name of an unnamed expression may contain a value.
  if (/^\w+$/.test(column)) properties.set(column, property)
  return property
}

/** Quotes an identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
