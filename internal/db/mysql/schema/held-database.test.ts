import { expect, onTestFinished, test } from 'vitest'
import { addUser, ann } from '../../../testing/database/user-rows.ts'
import {
  migrations,
  noon,
  temporaryDatabase,
  unusedAddress,
} from '../../../testing/database/database.ts'
import { keptDatabaseOf, nameIn } from '../../../testing/mysql/address.ts'
import { objects } from '../../../testing/mysql/objects.ts'
import { scriptIn } from '../../../testing/mysql/script.ts'
import {
  buildReplacement,
  whileLocked,
  replaceContent,
} from '../../../testing/database/snapshots.ts'
import { serverOf } from '../address.ts'
import { Connection } from '../connection.ts'
import { openDatabase } from '../driver.ts'
import { migrate } from '../migrations.ts'
import { takeObjects } from './objects.ts'
import type { DatabaseAddress } from '../../../base/settings/config.ts'
import type { Migration } from '../../migrate.ts'

const bob = { ...ann, name: 'Bob', email: 'b@x.test', emailKey: 'b@x.test' }

/** Returns the names of the databases with this one's name as a prefix, without the prefix. */
async function besides(address: DatabaseAddress): Promise<string[]> {
  const connection = await Connection.open(serverOf(address))
  const own = nameIn(address)
  const found = await connection.rows('SHOW DATABASES')
  await connection.end()
  const names = found.map(([name]) => String(name)).filter((name) => name.startsWith(own))
  return names.map((name) => name.slice(own.length)).filter((rest) => rest !== '')
}

test('a restore deletes what a killed restore left behind, and no other database', async () => {
  const address = await unusedAddress()
  const made = '20261121120000123'
  const others = ['drill', '20261121', `${made}0`, `${made.slice(1)}x`].flatMap((end) => [
    `_restore_${end}`,
    `_restoring_${end}`,
  ])
  const more = [`_before_restore_${made}`, `_RESTORING_${made}`]
  const foreign = [...others, ...more]
  const endings = [...foreign, `_restoring_${made}`]
  await scriptIn(address, ...endings.map((rest) => `CREATE DATABASE ${nameIn(address)}${rest}`))
  expect((await besides(address)).toSorted()).toEqual(endings.toSorted())
  await whileLocked(address, async () => {})
  expect((await besides(address)).toSorted()).toEqual(foreign.toSorted())
})

test('a restore does not delete what another database has kept aside under a similar name', async () => {
  const address = await unusedAddress()
  const aside = `${nameIn(address)}_before_restore_20261121120000123`
  const before = `${nameIn(address)}_before`
  await scriptIn(address, `CREATE DATABASE ${aside}`, `CREATE DATABASE ${before}`)
  await whileLocked(keptDatabaseOf(address, before), async () => {})
  expect(await besides(address)).toEqual(['_before', '_before_restore_20261121120000123'])
})

/** One of each kind of object that a database has besides tables. */
const everything: Migration = {
  name: '29991231000001_everything.sql',
  sql: `
    CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN n * 2;
    CREATE PROCEDURE rest() SELECT 1;
    CREATE VIEW z_users AS SELECT name FROM users;
    CREATE VIEW a_users AS SELECT name, twice(length(name)) AS length FROM z_users;
    CREATE TRIGGER z_change BEFORE INSERT ON users FOR EACH ROW SET NEW.name = concat(NEW.name, 'z');
    CREATE TRIGGER a_change BEFORE INSERT ON users FOR EACH ROW SET NEW.name = concat(NEW.name, 'a');
    CREATE EVENT later ON SCHEDULE AT '2999-01-01 00:00:00' DO DELETE FROM users;`,
}

const made = [...migrations, objects, everything]

async function fullOf(name: string): Promise<DatabaseAddress> {
  const { db, address } = await temporaryDatabase()
  await migrate(address, made, noon)
  await addUser(db, { ...ann, name })
  await db.close()
  return address
}

async function rowsIn(address: DatabaseAddress, text: string): Promise<unknown[][]> {
  const connection = await Connection.open(serverOf(address))
  const rows = await connection.rows(text)
  await connection.end()
  return rows
}

function objectsIn(address: DatabaseAddress): Promise<unknown[][]> {
  return rowsIn(
    address,
    `SELECT routine_name AS name FROM information_schema.routines WHERE routine_schema = DATABASE()
    UNION ALL SELECT table_name FROM information_schema.views WHERE table_schema = DATABASE()
    UNION ALL SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()
    UNION ALL SELECT event_name FROM information_schema.events WHERE event_schema = DATABASE()
    ORDER BY name`,
  )
}

const objectNames = ['a_change', 'a_users', 'later', 'names', 'note_users', 'rest', 'twice']
const named = [...objectNames, 'z_change', 'z_users'].map((name) => [name])

test('a restore recreates routines, views, triggers and events, and a start does in the database kept aside', async () => {
  const [address, place] = [await fullOf('New'), await fullOf('Old')]
  const aside = keptDatabaseOf(place, (await replaceContent(address, place, made)) ?? '')
  expect(await objectsIn(place)).toEqual(named)
  expect(await migrate(aside, made, noon)).toEqual([])
  expect(await objectsIn(aside)).toEqual(named)
  const users = 'SELECT name, length FROM a_users'
  expect([await rowsIn(place, users), await rowsIn(aside, users)]).toEqual([
    [['Newza', 10]],
    [['Oldza', 10]],
  ])
  const db = await openDatabase(place)
  onTestFinished(() => db.close())
  expect((await addUser(db, bob)).name).toBe('Bobza')
})

/** Returns a database without its objects, as a restore leaves it that was killed before or after moving the tables. */
async function withoutObjects(): Promise<DatabaseAddress> {
  const address = await fullOf('Ann')
  const connection = await Connection.open(serverOf(address))
  await takeObjects(connection)
  await connection.end()
  expect(await objectsIn(address)).toEqual([])
  return address
}

test('objects that a killed restore had removed are recreated by the next start and the next restore', async () => {
  const [first, second] = [await withoutObjects(), await withoutObjects()]
  expect(await migrate(first, made, noon)).toEqual([])
  await whileLocked(second, async () => {})
  expect([await objectsIn(first), await objectsIn(second)]).toEqual([named, named])
  const db = await openDatabase(first)
  onTestFinished(() => db.close())
  await addUser(db, bob)
  expect(await rowsIn(first, 'SELECT name FROM changes')).toEqual([['Annza'], ['Bobza']])
})

test('a restore refuses a database with a view of another user before it creates anything', async () => {
  const address = await fullOf('Ann')
  const user = `u_${nameIn(address)}`.slice(0, 30)
  await scriptIn(address, `CREATE USER ${user}@'%'`)
  onTestFinished(() => scriptIn(address, `DROP USER ${user}@'%'`))
  await scriptIn(address, `CREATE DEFINER = ${user}@'%' VIEW theirs AS SELECT name FROM users`)
  await whileLocked(address, async (held) => {
    await expect(buildReplacement(held, made)).rejects.toThrow(
      `The view theirs belongs to ${user}@%, and cannot be made again as theirs: drop it before a restore, `,
    )
    expect(await besides(address)).toEqual([])
  })
  await scriptIn(address, 'DROP VIEW theirs')
})
