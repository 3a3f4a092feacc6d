import { addresses } from '#db/address'
import { migrate, migrationsFolder } from '#db/migrations'
import { embedded } from '../../../internal/base/program/embedded.ts'
import { type Migration, newMigration } from '../../../internal/db/migrate.ts'
import { readSettings } from '../read-settings.ts'

/** Runs the migrations that have not run yet, and prints their names; also beside a running server. */
export async function migrateDatabase(): Promise<number> {
  const { database } = (await readSettings()).config
  const ran = await migrate(database, migrations(), new Date(), { advise: console.error })
  const lines = ran.map((name) => `ran ${name}`)
  console.log(lines.length > 0 ? lines.join('\n') : `${addresses.nameOf(database)} is up to date.`)
  return 0
}

/** Writes an empty migration into `migrations/`, for the developer to fill. */
export async function writeMigration(name: string): Promise<number> {
  console.log(newMigration(migrationsFolder, name, new Date()))
  return 0
}

/** The migrations that the build embedded. */
export function migrations(): Migration[] {
  const files = embedded()
  const names = files.names().filter((name) => name.startsWith('migrations/'))
  return names.toSorted().map((path) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    sql: Buffer.from(files.read(path)).toString(),
  }))
}
