/**
 * Returns the milliseconds after which the server cancels a statement that we wait `patience` milliseconds for: well
 * before we give up, which closes the connection.
 */
export function statementLimit(patience: number): number {
  return Math.floor((patience * 3) / 4)
}
