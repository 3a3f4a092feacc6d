import { fileURLToPath } from 'node:url'
import { readMigrations } from '../../../internal/db/migrate.ts'

/** The service's own migrations. */
export const ownMigrations = readMigrations(
  fileURLToPath(new URL('../../../migrations/sqlite', import.meta.url)),
)
