import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Migration } from '../migrate.ts'
import { openDatabase } from './driver.ts'
import { migrate } from './migrations.ts'
import { migrations, noon, temporaryDatabase, temporaryFolder } from '../../testing/database.ts'

const cats = { name: '20270101000000_cats.sql', sql: 'CREATE TABLE cats (id INTEGER);' }
const dogs = {
  name: '20270102000000_dogs.sql',
  sql: 'CREATE TABLE dogs (id INTEGER);\nCREATE INDEX dogs_id ON dogs (id);\n',
}

/** The tables and indexes of the file, and the migrations on record. */
async function stateOf(database: DatabaseAddress) {
  const db = await openDatabase(database)
  const names = await db.all<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name`
  const ran = await db.all`SELECT name, ran_at FROM migrations ORDER BY name`
  await db.close()
  return { names: names.map(({ name }) => name), ran }
}

test('each migration runs once, in order, and is recorded', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  expect(await migrate(database, [dogs, cats], noon)).toEqual([cats.name, dogs.name])
  expect(await migrate(database, [cats, dogs], new Date())).toEqual([])
  expect(await stateOf(database)).toEqual({
    names: ['cats', 'dogs', 'dogs_id', 'migrations'],
    ran: [
      { name: cats.name, ranAt: noon },
      { name: dogs.name, ranAt: noon },
    ],
  })
})

test('a new migration runs on a file that has others', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  await migrate(database, [cats], noon)
  expect(await migrate(database, [cats, dogs], noon)).toEqual([dogs.name])
})

test('a migration that changed since it ran stops the start, and nothing else runs', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  await migrate(database, [dogs], noon)
  const changed = { ...dogs, sql: `${dogs.sql} ` }
  await expect(migrate(database, [cats, changed], noon)).rejects.toThrow(
    `The migration ${dogs.name} has changed since it ran. One that has run is never changed: put`,
  )
  expect((await stateOf(database)).names).toEqual(['dogs', 'dogs_id', 'migrations'])
})

test('line ends of Windows are no change', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  await migrate(database, [dogs], noon)
  const windows = { ...dogs, sql: dogs.sql.replaceAll('\n', '\r\n') }
  expect(await migrate(database, [windows], noon)).toEqual([])
})

test('a start looks again, once it has its turn, whether another was first', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  const both = await Promise.all([
    migrate(database, [cats, dogs], noon),
    migrate(database, [cats, dogs], noon),
  ])
  expect(both.flat().toSorted()).toEqual([cats.name, dogs.name])
})

test('a recorded migration with no file is left', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  await migrate(database, [cats, dogs], noon)
  expect(await migrate(database, [cats], noon)).toEqual([])
  expect((await stateOf(database)).ran).toHaveLength(2)
})

test('a migration that fails half-way leaves nothing of itself', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  const half: Migration = { name: dogs.name, sql: `${dogs.sql} INSERT INTO birds VALUES (1);` }
  await expect(migrate(database, [cats, half], noon)).rejects.toThrow(
    `The migration ${dogs.name} failed, and left nothing: no such table: birds`,
  )
  expect((await stateOf(database)).names).toEqual(['cats', 'migrations'])
  expect(await migrate(database, [cats, dogs], noon)).toEqual([dogs.name])
})

test('a migration that ends its transaction is refused', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  const ending = { ...cats, sql: `${cats.sql} COMMIT;` }
  await expect(migrate(database, [ending], noon)).rejects.toThrow('ends the transaction it runs in')
})

const start = `
  const { migrate } = await import(process.argv[1] + '/migrations.ts')
  const { openDatabase } = await import(process.argv[1] + '/driver.ts')
  const database = { file: process.argv[2] }
  const ran = await migrate(database, JSON.parse(process.argv[3]), new Date())
  const db = await openDatabase(database)
  await db.run\`INSERT INTO cache (key, value) VALUES (\${process.pid}, 'serves')\`
  await db.ping()
  await db.close()
  console.log(ran.length)`

test('four processes that start at once on a new file run each migration once, and all serve', async () => {
  const database = { file: join(temporaryFolder(), 'app.db') }
  const here = new URL('.', import.meta.url).href
  const starting = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      start,
      here,
      database.file,
      JSON.stringify(migrations),
    ]),
  )
  const counts = (await Promise.all(starting)).map(({ stdout }) => Number(stdout))
  expect(counts.reduce((a, b) => a + b)).toBe(migrations.length)
  expect((await stateOf(database)).ran).toHaveLength(migrations.length)
})

test("a user's rows go with the user", async () => {
  const { db } = await temporaryDatabase()
  const tables = await db.all<{ name: string }>`
    SELECT m.name FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
    WHERE f."table" = 'users' AND f.on_delete = 'CASCADE' ORDER BY m.name`
  expect(tables.map(({ name }) => name)).toEqual([
    'access_tokens',
    'browsers',
    'logins',
    'notifications',
    'passkeys',
    'sessions',
  ])
})

test('each table that names a user loses its rows with the user', async () => {
  const { db } = await temporaryDatabase()
  const named = await db.all`
    SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.name = 'user_id' ORDER BY m.name`
  const cascading = await db.all`
    SELECT m.name FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) k
    WHERE k."table" = 'users' AND k."from" = 'user_id' AND k.on_delete = 'CASCADE' ORDER BY m.name`
  expect(named).toContainEqual({ name: 'passkeys' })
  expect(cascading).toEqual(named)
})
