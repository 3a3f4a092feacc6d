/**
 * Returns the code of an error of the system (`EACCES`), of Node, of a database or its client; empty if it
 * has none.
 */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
