import { existsSync } from 'node:fs'

/** Returns the browser's entry module: `browser` in the frontend's folder. */
export function entryOf(frontend: string): string {
  return moduleOf(`web/${frontend}/browser`)
}

/** Returns the module with which the server renders pages: `server` in the frontend's folder. */
export function serverEntryOf(frontend: string): string {
  return moduleOf(`web/${frontend}/server`)
}

function moduleOf(path: string): string {
  return existsSync(`${path}.ts`) ? `${path}.ts` : `${path}.tsx`
}
