import type { Db } from '../db/db.ts'

/** What tests do behind the service's back that each database says in its own words: those of SQLite. */

/** From here on no account's photo can be changed, until `allowPhotos`. */
export async function refusePhotos(db: Db): Promise<void> {
  await db.run`
    CREATE TRIGGER refuse_photos BEFORE UPDATE OF photo ON users
    BEGIN SELECT raise(ABORT, 'refused by the test'); END`
}

export async function allowPhotos(db: Db): Promise<void> {
  await db.run`DROP TRIGGER refuse_photos`
}

/** From here on no login that is there can be changed. */
export async function refuseLoginChanges(db: Db): Promise<void> {
  await db.run`
    CREATE TRIGGER refuse_login_changes BEFORE UPDATE ON logins
    BEGIN SELECT raise(ABORT, 'refused by the test'); END`
}

/** The migrations in the order they were noted down in. */
export async function ranInOrder(db: Db): Promise<string[]> {
  const ran = await db.all<{ name: string }>`SELECT name FROM migrations ORDER BY rowid`
  return ran.map(({ name }) => name)
}
