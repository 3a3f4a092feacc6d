interface Connection {
  readonly name: string
  pragma(source: string, options: { simple: true }): unknown
}

/**
 * Makes writes go directly to the database file, without a log or journal file. The mode OFF would not do:
 * better-sqlite3 silently ignores it.
 */
export function keepNoLog(connection: Connection): void {
  const mode = connection.pragma('journal_mode = MEMORY', { simple: true })
  if (mode !== 'memory')
    throw new Error(`The database ${connection.name} keeps its ${String(mode)}.`)
}
