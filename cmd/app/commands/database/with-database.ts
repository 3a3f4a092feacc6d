import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { health } from '#db/health'
import { appName } from '../../../../web/contract/name.ts'
import { compareMigrations } from '../../../../internal/db/migrate.ts'
import { migrations } from './migrate.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { counted } from '../../../../internal/base/text/printed-sizes.ts'
import type { DatabaseAddress } from '../../../../internal/base/settings/config.ts'
import type { Database, Db } from '../../../../internal/db/db.ts'

/**
 * Runs `work` on the server's database, whether or not the server is running, then closes it. Throws if there is no
 * database.
 */
export async function withDatabase<Result>(
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { database } = (await readSettings()).config
  await requireDatabase(database)
  const db = await openDatabase(database)
  try {
    await refuseUnmigrated(database, db)
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Throws if there is no database at this address. */
export async function requireDatabase(database: DatabaseAddress): Promise<void> {
  // Opening would create an empty database, probably in the wrong folder.
  if (!(await addresses.isThere(database)))
    throw new Error(
      `There is no database ${addresses.nameOf(database)}, or nothing in it: set ${addresses.setting} to the server's. The first start fills a new one.`,
    )
}

/** Throws if migrations of this build have not run on the database: tables or columns may be missing. */
export async function refuseUnmigrated(database: DatabaseAddress, db: Db): Promise<void> {
  const { pending } = compareMigrations(migrations(), await health.ranMigrations(db))
  if (pending.length > 0)
    throw new Error(
      `${counted(pending.length, 'migration')} of this build did not run on the database ${addresses.nameOf(database)} yet: run \`${appName} migrate\`, or start the server, which does. A backup can be made before.`,
    )
}
