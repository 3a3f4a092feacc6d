import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { migrate } from '#db/migrations'
import { snapshots } from '#db/snapshot'
import { users } from '#db/users'
import { keptDatabaseOf } from '#testing/address'
import { addUser, ann } from '../testing/database/user-rows.ts'
import { userNamesIn } from '../testing/database/backups.ts'
import { migrations, noon, temporaryDatabase, unusedAddress } from '../testing/database/database.ts'
import { migrationsOnRecord } from '../testing/database/migration-rows.ts'
import { allUsers, deleteUsers, setUserNames } from '../testing/database/rows.ts'
import {
  addToEveryTable,
  buildReplacement,
  everyRow,
  hardValues,
  whileLocked,
  replaceContent,
} from '../testing/database/snapshots.ts'
import { DatabaseDamaged, type Cells, type Replacement, type Table } from './snapshot.ts'

const cats = { name: '20270101000000_cats.sql', sql: 'CREATE TABLE cats (id INTEGER);' }

const pets = {
  name: '29991231000000_pets.sql',
  sql: 'CREATE TABLE pets (id INTEGER NOT NULL PRIMARY KEY); INSERT INTO pets VALUES (7);',
}

/** Creates a database with one account of this name, which nobody has open. */
async function fullOf(name: string) {
  const { db, address } = await temporaryDatabase()
  await addUser(db, { ...ann, name })
  await db.close()
  return { address }
}

async function* parts(...rows: Cells[]): AsyncGenerator<Cells[]> {
  yield rows
}

test('a snapshot moved to another database has the same rows in every table', async () => {
  const { db, address } = await temporaryDatabase()
  await addToEveryTable(db)
  const other = await unusedAddress()
  await replaceContent(address, other)
  const rows = await everyRow(address)
  expect(
    Object.keys(rows).filter((table) => rows[table]?.length === 0),
    'Put a row into each of these in addToEveryTable of internal/testing/database/snapshots.ts.',
  ).toEqual([])
  expect(await everyRow(other)).toEqual(rows)
})

test('after a move to another database accounts read the same, and migrations keep their times', async () => {
  const { db, address } = await temporaryDatabase()
  await addToEveryTable(db)
  const other = await unusedAddress()
  await replaceContent(address, other)
  const moved = await openDatabase(other)
  onTestFinished(() => moved.close())
  expect(await allUsers(moved)).toEqual(await allUsers(db))
  expect((await allUsers(moved))[0]).toMatchObject({
    name: hardValues.name,
    createdAt: hardValues.time,
  })
  expect(await migrationsOnRecord(moved)).toEqual(await migrationsOnRecord(db))
  expect(await migrate(other, migrations, noon)).toEqual([])
})

test('a snapshot includes the table of a later migration, with only the rows it had', async () => {
  const { db, address } = await temporaryDatabase()
  const made = [...migrations, pets]
  await migrate(address, made, noon)
  const other = await unusedAddress()
  await deleteUsers(db)
  await replaceContent(address, other, made)
  expect((await everyRow(other))['pets']).toEqual([[7]])
})

test('a snapshot shows one moment, whatever is written while it is read', async () => {
  const { db, address } = await temporaryDatabase()
  await db.transaction(async (tx) => {
    for (const n of Array(1200).keys())
      await users.insert(tx, { ...ann, email: `${n}@x.test`, emailKey: `${n}@x.test` })
  })
  const snapshot = await snapshots.take(address)
  onTestFinished(() => snapshot.close())
  const table = snapshot.tables.find(({ name }) => name === 'users')
  const sizes: number[] = []
  await addUser(db, { ...ann, email: '0@later.test', emailKey: '0@later.test' })
  for await (const rows of table ? snapshot.rows(table) : []) {
    sizes.push(rows.length)
    await addUser(db, {
      ...ann,
      email: `${sizes.length}@later.test`,
      emailKey: `${sizes.length}@later.test`,
    })
    await setUserNames(db, 'later')
  }
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1200)
})

test('IDs in a restored database continue after the highest ever assigned, even if its row is gone', async () => {
  const { db, address } = await temporaryDatabase()
  const { id } = await addUser(db)
  await deleteUsers(db)
  const other = await unusedAddress()
  await replaceContent(address, other)
  const moved = await openDatabase(other)
  onTestFinished(() => moved.close())
  expect((await addUser(moved)).id).toBeGreaterThan(id)
})

test('IDs in a restored database continue after the highest restored one, whatever last ID a backup states', async () => {
  const { db, address } = await temporaryDatabase()
  const { id } = await addUser(db)
  const snapshot = await snapshots.take(address)
  const other = await unusedAddress()
  await whileLocked(other, async (held) => {
    const built = await buildReplacement(held)
    for (const table of snapshot.tables)
      await built.put({ ...table, lastId: 0 }, snapshot.rows(table))
    await built.check()
    await built.putInPlace()
  })
  await snapshot.close()
  const moved = await openDatabase(other)
  onTestFinished(() => moved.close())
  expect(
    (await addUser(moved, { ...ann, email: 'b@x.test', emailKey: 'b@x.test' })).id,
  ).toBeGreaterThan(id)
})

test('a snapshot lists tables after the tables they refer to, and leaves out migrations', async () => {
  const { address } = await temporaryDatabase()
  const snapshot = await snapshots.take(address)
  const names = snapshot.tables.map(({ name }) => name)
  await snapshot.close()
  const owned = ['logins', 'browsers', 'access_tokens', 'passkeys', 'notifications', 'sessions']
  const before = owned.filter((name) => names.indexOf(name) < names.indexOf('users'))
  expect([before, names.includes('migrations')]).toEqual([[], false])
})

test('tables can be restored before the tables they refer to', async () => {
  const { db, address } = await temporaryDatabase()
  await addToEveryTable(db)
  const other = await unusedAddress()
  const snapshot = await snapshots.take(address)
  await whileLocked(other, async (held) => {
    const built = await buildReplacement(held)
    for (const table of snapshot.tables.toReversed()) await built.put(table, snapshot.rows(table))
    await built.check()
    await built.putInPlace()
  })
  await snapshot.close()
  expect(await everyRow(other)).toEqual(await everyRow(address))
})

test('a database that is open cannot be held for a restore', async () => {
  const { address } = await temporaryDatabase()
  expect(await snapshots.hold(address, noon)).toBeUndefined()
})

test('closing a database or ending a restore lets the next restore begin at once', async () => {
  const { address } = await fullOf('Old')
  const held: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    await (await openDatabase(address)).close()
    held.push(await whileLocked(address, async () => name))
  }
  expect(held.join('')).toBe('abcdefgh')
})

test('a restore keeps the old database until it is replaced, and afterwards under the name it returns', async () => {
  const { address } = await fullOf('Ann')
  const { address: place } = await fullOf('Eve')
  await whileLocked(place, async (held) => {
    const built = await buildReplacement(held)
    await built.check()
  })
  const still = await userNamesIn(place)
  const aside = await replaceContent(address, place)
  expect([still, await userNamesIn(place)]).toEqual([['Eve'], ['Ann']])
  expect(await userNamesIn(keptDatabaseOf(place, aside ?? ''))).toEqual(['Eve'])
})

test('a restore into a new place keeps nothing aside, and an abandoned one leaves nothing', async () => {
  const { address } = await fullOf('Ann')
  const place = await unusedAddress()
  await whileLocked(place, async (held) => {
    await buildReplacement(held)
  })
  const isThere = await addresses.isThere(place)
  expect([isThere, await replaceContent(address, place)]).toEqual([false, undefined])
})

test('a restore refuses orphaned, duplicate and incomplete rows', async () => {
  const { db, address } = await temporaryDatabase()
  await addToEveryTable(db)
  const snapshot = await snapshots.take(address)
  onTestFinished(() => snapshot.close())
  const nowhere = await unusedAddress()
  const refused = (fill: (built: Replacement, table: Table, rows: Cells[]) => Promise<void>) =>
    whileLocked(nowhere, async (held) => {
      const table = snapshot.tables.find(({ name }) => name === 'passkeys')
      if (!table) throw new Error('There is no such table.')
      const rows = (await Array.fromAsync(snapshot.rows(table))).flat()
      const built = await buildReplacement(held)
      await fill(built, table, rows)
      await built.check()
    }).catch((error: unknown) => error instanceof DatabaseDamaged && error.message)
  const orphans = await refused((built, table, rows) => built.put(table, parts(...rows)))
  const twice = await refused((built, table, rows) => built.put(table, parts(...rows, ...rows)))
  const less = await refused((built, { name }, rows) => {
    const columns = { id: 'integer' } as const
    return built.put({ name, columns, lastId: 0 }, parts(...rows.map(([id = null]) => [id])))
  })
  expect(orphans).toContain('A row of passkeys belongs to a row of users that is gone.')
  expect([twice, less]).toEqual(
    Array(2).fill(expect.stringMatching(/^A row of passkeys cannot be/)),
  )
})

test('no snapshot is taken of a database without the table of accounts', async () => {
  const address = await unusedAddress()
  await migrate(address, [cats], noon)
  await expect(snapshots.take(address)).rejects.toThrow('It has no table of accounts.')
})
