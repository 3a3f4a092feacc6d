import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { health } from '#db/health'
import { migrate } from '#db/migrations'
import type { DatabaseAddress } from '../base/settings/config.ts'
import { migrations, noon, temporaryFolder, unusedAddress } from '../testing/database/database.ts'
import { migrateProcess } from '../testing/processes/migrate-process.ts'
import { migrationsOnRecord, petTables } from '../testing/database/migration-rows.ts'
import { buildReplacement, whileLocked } from '../testing/database/snapshots.ts'
import { DatabaseBusy } from './db.ts'
import { hashOf, MigrationChanged, newMigration, readMigrations } from './migrate.ts'

const cats = { name: '20270101000000_cats.sql', sql: 'CREATE TABLE cats (id INTEGER);' }
const dogs = {
  name: '20270102000000_dogs.sql',
  sql: 'CREATE TABLE dogs (id INTEGER);\nCREATE INDEX dogs_id ON dogs (id);\n',
}
const birds = { name: '20270103000000_birds.sql', sql: 'CREATE TABLE birds (id INTEGER);' }

/** Returns which of the tables exist, and the recorded migrations. */
async function stateOf(database: DatabaseAddress) {
  const db = await openDatabase(database)
  const state = { ...(await petTables(db)), ran: await migrationsOnRecord(db) }
  await db.close()
  return state
}

test('migrations are read in the order of their timestamps', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '20261201000000_b.sql'), 'SELECT 2')
  writeFileSync(join(folder, '20261101000000_c.sql'), 'SELECT 1')
  expect(readMigrations(folder)).toEqual([
    { name: '20261101000000_c.sql', sql: 'SELECT 1' },
    { name: '20261201000000_b.sql', sql: 'SELECT 2' },
  ])
})

test('a file whose name is not that of a migration is refused', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'users.sql'), '')
  expect(() => readMigrations(folder)).toThrow(`${join(folder, 'users.sql')} is no migration`)
})

test('a new migration is an empty file with the time in its name', () => {
  const folder = temporaryFolder()
  const path = newMigration(folder, 'add_language', noon)
  expect(path).toBe(join(folder, '20261121120000_add_language.sql'))
  expect(readFileSync(path, 'utf8')).toBe('')
})

test('a new migration sorts after all others, even in the same second or on a clock that is behind', () => {
  const folder = temporaryFolder()
  newMigration(folder, 'zebras', noon)
  const second = newMigration(folder, 'apes', noon)
  const third = newMigration(folder, 'bees', new Date(noon.getTime() - 86_400_000))
  expect([second, third]).toEqual([
    join(folder, '20261121120001_apes.sql'),
    join(folder, '20261121120002_bees.sql'),
  ])
})

test('a new migration with the name of another is refused', () => {
  const folder = temporaryFolder()
  newMigration(folder, 'add_language', noon)
  expect(() => newMigration(folder, 'add_language', new Date())).toThrow('has that name already')
})

test('each migration runs once, in the order of names, and is recorded with its hash and time', async () => {
  const database = await unusedAddress()
  const more = { ...cats, name: birds.name, sql: 'ALTER TABLE cats ADD COLUMN age INTEGER;' }
  expect(await migrate(database, [more, dogs, cats], noon)).toEqual([
    cats.name,
    dogs.name,
    more.name,
  ])
  expect(await migrate(database, [cats, dogs, more], new Date())).toEqual([])
  const ran = [cats, dogs, more].map(({ name }) => ({ name, ranAt: noon }))
  expect(await stateOf(database)).toEqual({ cats: true, dogs: true, ran })
  const db = await openDatabase(database)
  const hashes = await health.ranMigrations(db)
  await db.close()
  expect(hashes[1]).toEqual({ name: dogs.name, hash: hashOf(dogs.sql) })
})

test('only the new migration runs on a database that has others', async () => {
  const database = await unusedAddress()
  await migrate(database, [cats], noon)
  expect(await migrate(database, [cats, dogs], noon)).toEqual([dogs.name])
})

test('a migration that changed since it ran stops the start, and nothing else runs', async () => {
  const database = await unusedAddress()
  await migrate(database, [dogs], noon)
  const changed = { ...dogs, sql: `${dogs.sql} ` }
  const starting = migrate(database, [cats, changed], noon)
  await expect(starting).rejects.toThrow(MigrationChanged)
  await expect(starting).rejects.toThrow(
    `The migration ${dogs.name} has changed since it ran. One that has run is never changed: put`,
  )
  expect(await stateOf(database)).toMatchObject({ cats: false, dogs: true })
})

test('a blank migration is named in the error, and nothing runs', async () => {
  const database = await unusedAddress()
  const blank = { ...dogs, sql: ' \n' }
  await expect(migrate(database, [cats, blank], noon)).rejects.toThrow(
    `The migration ${dogs.name} is blank: write its SQL, or delete the file.`,
  )
  expect(await migrate(database, [cats, dogs], noon)).toEqual([cats.name, dogs.name])
})

test('Windows line endings do not count as a change of a migration', async () => {
  const database = await unusedAddress()
  await migrate(database, [dogs], noon)
  const windows = { ...dogs, sql: dogs.sql.replaceAll('\n', '\r\n') }
  expect(await migrate(database, [windows], noon)).toEqual([])
})

test('a recorded migration whose file is missing is left as it is', async () => {
  const database = await unusedAddress()
  await migrate(database, [cats, dogs], noon)
  expect(await migrate(database, [cats], noon)).toEqual([])
  expect(await stateOf(database)).toMatchObject({ dogs: true, ran: [cats, dogs].map(nameOf) })
})

test('a failed migration is named in the error; those before it stay applied, and none after it runs', async () => {
  const database = await unusedAddress()
  const failing = { ...dogs, sql: 'INSERT INTO fish VALUES (1);' }
  await expect(migrate(database, [cats, failing, birds], noon)).rejects.toThrow(
    new RegExp(`^The migration ${dogs.name} failed, .*fish`),
  )
  expect(await stateOf(database)).toMatchObject({ cats: true, dogs: false, ran: [nameOf(cats)] })
})

test('two simultaneous starts run each migration only once', async () => {
  const database = await unusedAddress()
  const both = await Promise.all([
    migrate(database, [cats, dogs], noon),
    migrate(database, [cats, dogs], noon),
  ])
  expect(both.flat().toSorted()).toEqual([cats.name, dogs.name])
})

test('no migration runs during a restore, and one that waits runs on the restored database', async () => {
  const database = await unusedAddress()
  await migrate(database, [...migrations, cats], noon)
  const waited = await whileLocked(database, async (held) => {
    const more = [...migrations, cats, dogs]
    await expect(migrate(database, more, noon, { wait: 0 })).rejects.toThrow(DatabaseBusy)
    const waiting = migrate(database, more, noon)
    const built = await buildReplacement(held)
    await built.check()
    await built.putInPlace()
    return { waiting }
  })
  expect(await waited.waiting).toEqual([cats.name, dogs.name])
})

test('four processes that start at once on a new database run each migration once, and all can write', async () => {
  const database = await unusedAddress()
  const starting = Array.from({ length: 4 }, () => migrateProcess(database, migrations))
  const ran = (await Promise.all(starting)).flat()
  expect(ran.toSorted()).toEqual(migrations.map(({ name }) => name))
  expect((await stateOf(database)).ran).toHaveLength(migrations.length)
})

function nameOf({ name }: { name: string }) {
  return expect.objectContaining({ name }) as unknown
}
