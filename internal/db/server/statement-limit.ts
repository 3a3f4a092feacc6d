/**
 * Milliseconds after which the server ends a statement by itself, where we wait so many for it: well before we give it up,
 * which takes the connection with it.
 */
export function statementLimit(patience: number): number {
  return Math.floor((patience * 3) / 4)
}
