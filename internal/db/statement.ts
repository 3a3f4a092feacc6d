/** In one line, for a message. */
export function textOfStatement(sql: TemplateStringsArray): string {
  return sql.join('?').replace(/\s+/g, ' ').trim()
}

/** Throws for a value that was forgotten or is no number, and so would be kept as a NULL. `at`: its place, from 0. */
export function refuseForgotten(value: unknown, at: number, sql: TemplateStringsArray): void {
  if (value === undefined || Number.isNaN(value))
    throw new TypeError(`Value ${at + 1} is ${String(value)} in: ${textOfStatement(sql)}`)
}

/** The name of a property for that of a column. */
export function camelCase(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The text of a statement with a mark in the place of each value, as its database has them: `?`, or `$1`, `$2` … */
export function markedText(sql: TemplateStringsArray, mark: (at: number) => string): string {
  return sql.reduce((text, part, at) => text + mark(at) + part)
}

/** Whether a statement changes nothing, by its first word. */
export function onlyReads(text: string): boolean {
  if (/^\s*SELECT\b/i.test(text)) return true
  return /^\s*WITH\b/i.test(text) && !/\b(INSERT|UPDATE|DELETE)\b/.test(text)
}
