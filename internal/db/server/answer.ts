/** Rows as `Db` promises them, and how many were changed. */
export interface Answer extends ReadonlyArray<unknown> {
  readonly count: number
}
