/**
 * Milliseconds after which the server ends a statement that we wait `patience` milliseconds for: well before we give it
 * up, which closes the connection.
 */
export function statementLimit(patience: number): number {
  return Math.floor((patience * 3) / 4)
}
