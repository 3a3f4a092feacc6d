import { existsSync } from 'node:fs'

/** The module that the browser begins with: `browser` in the frontend's folder. */
export function entryOf(frontend: string): string {
  return moduleOf(`web/${frontend}/browser`)
}

/** The module that the server draws pages with: `server` in the frontend's folder. */
export function serverEntryOf(frontend: string): string {
  return moduleOf(`web/${frontend}/server`)
}

function moduleOf(path: string): string {
  return existsSync(`${path}.ts`) ? `${path}.ts` : `${path}.tsx`
}
