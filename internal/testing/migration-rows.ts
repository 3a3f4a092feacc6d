import type { Db } from '../db/db.ts'

/** From here on a migration ran as something else than its file says. */
export async function changeMigration(db: Db, name: string): Promise<void> {
  await db.run`UPDATE migrations SET hash = 'another' WHERE name = ${name}`
}

/** Notes a migration down that no build has. */
export async function addMigration(db: Db, name: string, ranAt: Date): Promise<void> {
  await db.run`INSERT INTO migrations (name, hash, ran_at) VALUES (${name}, 'x', ${ranAt})`
}
