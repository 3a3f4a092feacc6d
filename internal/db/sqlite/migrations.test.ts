import { expect, test } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Database } from '../db.ts'
import { hashOf, type Migration } from '../migrate.ts'
import { openDatabase } from './driver.ts'
import { migrate } from './migrations.ts'
import {
  migrations,
  noon,
  temporaryDatabase,
  unusedAddress,
} from '../../testing/database/database.ts'

const cats = { name: '20270101000000_cats.sql', sql: 'CREATE TABLE cats (id INTEGER);' }
const dogs = {
  name: '20270102000000_dogs.sql',
  sql: 'CREATE TABLE dogs (id INTEGER);\nCREATE INDEX dogs_id ON dogs (id);\n',
}

/** Returns the file's tables and indexes. */
async function namesIn(database: DatabaseAddress) {
  const db = await openDatabase(database)
  const names = await db.all<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name`
  await db.close()
  return names.map(({ name }) => name)
}

test('a migration that fails half-way leaves nothing behind', async () => {
  const database = await unusedAddress()
  const half: Migration = { name: dogs.name, sql: `${dogs.sql} INSERT INTO birds VALUES (1);` }
  await expect(migrate(database, [cats, half], noon)).rejects.toThrow(
    `The migration ${dogs.name} failed, and left nothing: no such table: birds`,
  )
  expect(await namesIn(database)).toEqual(['cats', 'migrations'])
  expect(await migrate(database, [cats, dogs], noon)).toEqual([dogs.name])
  expect(await namesIn(database)).toEqual(['cats', 'dogs', 'dogs_id', 'migrations'])
})

test('a migration that ends its transaction is refused', async () => {
  const database = await unusedAddress()
  const ending = { ...cats, sql: `${cats.sql} COMMIT;` }
  await expect(migrate(database, [ending], noon)).rejects.toThrow('ends the transaction it runs in')
})

test('a migration waits until nobody writes, and skips what has run by then', async () => {
  const { db, address } = await temporaryDatabase()
  const isHeld = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const held = db.transaction(async (tx) => {
    await tx.run`CREATE TABLE cats (id INTEGER)`
    await tx.run`
      INSERT INTO migrations (name, hash, ran_at) VALUES (${cats.name}, ${hashOf(cats.sql)}, ${noon})`
    isHeld.resolve()
    await isOver.promise
  })
  await isHeld.promise
  const migrating = migrate(address, [...migrations, cats, dogs], noon)
  // It is requested meanwhile, and has every chance to go first.
  for (let times = 0; times < 50; times++) await db.ping()
  isOver.resolve()
  expect(await migrating).toEqual([dogs.name])
  await held
})

test('every foreign key to a user cascades or is set to NULL on delete', async () => {
  const { db } = await temporaryDatabase()
  const keys = await keysToUsers(db)
  expect(keys.length).toBeGreaterThan(5)
  const holding = keys.filter(({ onDelete }) => !['CASCADE', 'SET NULL'].includes(onDelete))
  expect(
    holding.map(inWords),
    'These keep an account from being deleted: give each ON DELETE CASCADE, or SET NULL.',
  ).toEqual([])
})

test('every column named user_id is a foreign key to a user', async () => {
  const { db } = await temporaryDatabase()
  const named = await db.all<{ table: string; column: string }>`
    SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.name = 'user_id'`
  const keys = new Set((await keysToUsers(db)).map(inWords))
  expect(
    named.map(inWords).filter((column) => !keys.has(column)),
    'Rows of these stay once their account is deleted: give each REFERENCES users (id) ON DELETE CASCADE.',
  ).toEqual([])
})

test('every foreign key to a user has an index', async () => {
  const { db } = await temporaryDatabase()
  // An index that leaves out rows of nobody will do: none of them is searched for.
  const indexed = await db.all<{ table: string; column: string }>`
    SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m
    JOIN pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c
    LEFT JOIN sqlite_schema made ON made.name = i.name
    WHERE m.type = 'table' AND c.seqno = 0
      AND (i.partial = 0 OR made.sql LIKE '% WHERE ' || c.name || ' IS NOT NULL')`
  const found = new Set(indexed.map(inWords))
  expect(
    (await keysToUsers(db)).map(inWords).filter((column) => !found.has(column)),
    'Give each of these an index that begins with it, in its migration.',
  ).toEqual([])
})

interface Key {
  readonly table: string
  readonly column: string
  readonly onDelete: string
}

/** Returns every foreign key to an account, whatever its column's name. */
function keysToUsers(db: Database): Promise<Key[]> {
  return db.all<Key>`
    SELECT m.name AS "table", k."from" AS "column", k.on_delete AS "onDelete"
    FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) k
    WHERE m.type = 'table' AND k."table" = 'users' ORDER BY m.name, k."from"`
}

function inWords({ table, column }: { readonly table: string; readonly column: string }): string {
  return `${table}.${column}`
}
