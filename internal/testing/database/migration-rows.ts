import type { Db } from '../../db/db.ts'

/** Changes the recorded hash of a migration, as if its file had been edited since it ran. */
export async function changeMigration(db: Db, name: string): Promise<void> {
  await db.run`UPDATE migrations SET hash = 'another' WHERE name = ${name}`
}

/** Records a migration that no build contains. */
export async function addMigration(db: Db, name: string, ranAt: Date): Promise<void> {
  await db.run`INSERT INTO migrations (name, hash, ran_at) VALUES (${name}, 'x', ${ranAt})`
}

/** Removes a migration's record, so that it runs again. */
export async function forgetMigration(db: Db, name: string): Promise<void> {
  await db.run`DELETE FROM migrations WHERE name = ${name}`
}

/** Returns the recorded migrations by name, with the times when they ran. */
export function migrationsOnRecord(db: Db): Promise<{ name: string; ranAt: Date }[]> {
  return db.all`SELECT name, ran_at FROM migrations ORDER BY name`
}

/** Returns which of the tables exist that a test's migrations create. */
export async function petTables(db: Db): Promise<{ cats: boolean; dogs: boolean }> {
  return {
    cats: await succeeds(db.all`SELECT id FROM cats`),
    dogs: await succeeds(db.all`SELECT id FROM dogs`),
  }
}

function succeeds(query: Promise<unknown>): Promise<boolean> {
  return query.then(
    () => true,
    () => false,
  )
}

/** Returns what the view and the trigger of `#testing/objects` make of the accounts. */
export async function namesByObjects(db: Db): Promise<{ viewed: string[]; changed: string[] }> {
  const viewed = await db.all<{ name: string }>`SELECT name FROM names ORDER BY name`
  const changed = await db.all<{ name: string }>`SELECT name FROM changes ORDER BY id`
  return { viewed: viewed.map(({ name }) => name), changed: changed.map(({ name }) => name) }
}
