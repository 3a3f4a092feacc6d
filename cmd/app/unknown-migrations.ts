import { counted } from '../../internal/base/printed-sizes.ts'

/** That a later version has been at the database, of what it ran; undefined where it ran nothing. */
export function unknownMigrations(unknown: readonly string[]): string | undefined {
  const newest = unknown.at(-1)
  if (newest === undefined) return undefined
  return `The database has ${counted(unknown.length, 'migration')} that this program does not know, up to ${newest}.`
}

/** Which programs do. */
export const whoKnowsThem = 'the version that made them, or a later one'
