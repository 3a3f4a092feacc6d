import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { openDatabase } from '#db/driver'
import { health } from '#db/health'
import { compareMigrations } from '#db/migrations'
import { appName } from '../../../web/contract/name.ts'
import { offerAddonFolder } from '../../../internal/base/program/addons.ts'
import { migrations } from './migrate.ts'
import { readSettings } from '../read-settings.ts'
import { counted } from '../counts-and-sizes.ts'
import type { Database } from '../../../internal/db/db.ts'

/** Works on the server's database, also beside it, and closes it. Throws when there is none. */
export async function onDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const { databasePath } = (await readSettings()).config
  readyDatabase(databasePath)
  const db = await openDatabase(databasePath)
  try {
    refuseUnmigrated(databasePath)
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Throws when there is no database of this path. */
export function readyDatabase(databasePath: string): void {
  // Opening would make an empty one, in the wrong folder as likely as not.
  if (!existsSync(databasePath))
    throw new Error(`There is no database ${databasePath}: set DB_PATH to the server's.`)
  offerAddonFolder(dirname(databasePath))
}

/** Throws when migrations of this build have not run on an open database: what it looks for may not be there. */
export function refuseUnmigrated(databasePath: string): void {
  const look = health.look(databasePath)
  try {
    const { pending } = compareMigrations(migrations(), look.ranMigrations())
    if (pending.length > 0)
      throw new Error(
        `${counted(pending.length, 'migration')} of this build did not run on the database ${databasePath} yet: run \`${appName} migrate\`, or start the server, which does. A backup can be made before.`,
      )
  } finally {
    look.close()
  }
}
