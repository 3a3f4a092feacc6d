import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { openDatabase } from '#db/driver'
import { offerAddonFolder } from '../../internal/base/addons.ts'
import { readSettings } from './read-settings.ts'
import type { Database } from '../../internal/db/db.ts'

/** Works on the server's database, also beside it, and closes it. Throws when there is none. */
export async function onDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const { databasePath } = readSettings().config
  readyDatabase(databasePath)
  const db = await openDatabase(databasePath)
  try {
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
