import type { Db } from '../../db/db.ts'

/** Changes that the next version may make to the database as it starts, while this version is serving. */

type Column = 'mascot' | 'place' | 'birthday'

/** Adds a column to the table of accounts. */
export async function addColumn(db: Db, column: Column): Promise<void> {
  await adding[column](db)
}

const adding: Readonly<Record<Column, (db: Db) => Promise<number>>> = {
  mascot: (db) => db.run`ALTER TABLE users ADD COLUMN mascot TEXT`,
  place: (db) => db.run`ALTER TABLE users ADD COLUMN place TEXT`,
  birthday: (db) => db.run`ALTER TABLE users ADD COLUMN birthday TEXT`,
}

/** Adds a column to each table whose rows are read whole repeatedly. */
export async function addColumns(db: Db): Promise<void> {
  await addColumn(db, 'mascot')
  await db.run`ALTER TABLE logins ADD COLUMN place TEXT`
  await db.run`ALTER TABLE access_tokens ADD COLUMN note TEXT`
  await db.run`ALTER TABLE notifications ADD COLUMN note TEXT`
  await db.run`ALTER TABLE jobs ADD COLUMN note TEXT`
}
