import { expect, test } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Migration } from '../migrate.ts'
import { openDatabase } from './driver.ts'
import { migrate } from './migrations.ts'
import { noon, temporaryDatabase, unusedAddress } from '../../testing/database.ts'

const cats = { name: '20270101000000_cats.sql', sql: 'CREATE TABLE cats (id INTEGER);' }
const dogs = {
  name: '20270102000000_dogs.sql',
  sql: 'CREATE TABLE dogs (id INTEGER);\nCREATE INDEX dogs_id ON dogs (id);\n',
}

/** The tables and indexes of the file. */
async function namesIn(database: DatabaseAddress) {
  const db = await openDatabase(database)
  const names = await db.all<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name`
  await db.close()
  return names.map(({ name }) => name)
}

test('a migration that fails half-way leaves nothing of itself', async () => {
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

test('each table that names a user loses its rows with the user', async () => {
  const { db } = await temporaryDatabase()
  const named = await db.all<{ name: string }>`
    SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.name = 'user_id' ORDER BY m.name`
  const cascading = await db.all`
    SELECT m.name FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) k
    WHERE k."table" = 'users' AND k."from" = 'user_id' AND k.on_delete = 'CASCADE' ORDER BY m.name`
  expect(named.map(({ name }) => name)).toEqual([
    'access_tokens',
    'browsers',
    'logins',
    'notifications',
    'passkeys',
    'sessions',
  ])
  expect(cascading).toEqual(named)
})
