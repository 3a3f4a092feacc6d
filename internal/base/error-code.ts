/**
 * Returns the error code of the system (`EACCES`), Node, a database or its client; empty if there is none.
 */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
