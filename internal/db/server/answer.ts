/** The rows as `Db` promises them, and how many were changed. */
export interface Answer<Row = unknown> extends ReadonlyArray<Row> {
  readonly count: number
}

/** Returns the row of an answer that always has one. */
export function rowOf<Row>([row]: Answer<Row>): Row {
  if (row === undefined) throw new Error('The database answered with no row.')
  return row
}
