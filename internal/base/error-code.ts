/** The code of an error of the system (`EACCES`), of Node, of a database or its client; empty for one that has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
