import { existsSync } from 'node:fs'

/** The module that the browser begins with: `browser` in the frontend's folder. */
export function entryOf(frontend: string): string {
  const path = `web/${frontend}/browser.ts`
  return existsSync(path) ? path : `${path}x`
}
