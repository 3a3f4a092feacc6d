import { addresses } from '#db/address'
import { migrate, migrationsFolder } from '#db/migrations'
import { embedded } from '../../../../internal/base/program/embedded.ts'
import { type Migration, newMigration } from '../../../../internal/db/migrate.ts'
import { readSettings } from '../../settings/read-settings.ts'

/** Runs the pending migrations, and prints their names; works beside a running server. */
export async function migrateDatabase(): Promise<number> {
  const { database } = (await readSettings()).config
  const ran = await migrate(database, migrations(), new Date(), { advise: console.error })
  const lines = ran.map((name) => `ran ${name}`)
  console.log(lines.length > 0 ? lines.join('\n') : `${addresses.nameOf(database)} is up to date.`)
  return 0
}

/** Creates an empty migration in `migrations/` for the developer to fill in. */
export async function writeMigration(name: string): Promise<number> {
  console.log(newMigration(migrationsFolder, name, new Date()))
  return 0
}

/** Returns the migrations embedded in the build. */
export function migrations(): Migration[] {
  const files = embedded()
  const names = files.names().filter((name) => name.startsWith('migrations/'))
  return names.toSorted().map((path) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    sql: Buffer.from(files.read(path)).toString(),
  }))
}
