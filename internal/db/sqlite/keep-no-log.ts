interface Connection {
  readonly name: string
  pragma(source: string, options: { simple: true }): unknown
}

/**
 * Has what is written stand in the database's own file, with neither a log nor a journal beside it. Not by OFF, which
 * better-sqlite3 does not take, without a word.
 */
export function keepNoLog(connection: Connection): void {
  const mode = connection.pragma('journal_mode = MEMORY', { simple: true })
  if (mode !== 'memory')
    throw new Error(`The database ${connection.name} keeps its ${String(mode)}.`)
}
