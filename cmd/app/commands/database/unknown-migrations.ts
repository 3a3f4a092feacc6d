import { counted } from '../../../../internal/base/text/printed-sizes.ts'
import { escapeControls } from '../../../../internal/base/text/escape.ts'

/** Says that a later version has migrated the database; undefined if all its migrations are known. */
export function unknownMigrationsWarning(unknown: readonly string[]): string | undefined {
  const newest = unknown.at(-1)
  if (newest === undefined) return undefined
  return `The database has ${counted(unknown.length, 'migration')} that this program does not know, up to ${escapeControls(newest)}.`
}

/** The programs that have such migrations. */
export const suitableVersion = 'the version that made them, or a later one'
