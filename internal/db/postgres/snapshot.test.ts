import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { migrations, noon, temporaryDatabase } from '../../testing/database/database.ts'
import { quoted } from '../statement.ts'
import { serverOf } from './address.ts'
import { openDatabase } from './driver.ts'
import { migrate } from './migrations.ts'
import { presences } from './presence.ts'
import { snapshots } from './snapshot.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { everyRow, replaceContent } from '../../testing/database/snapshots.ts'
import { addressIn } from '../../testing/postgres/address.ts'
import { alterDatabase, script } from '../../testing/postgres/alter-database.ts'
import { migratedIn } from '../../testing/postgres/migrated.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

test.each([
  ['the database', alterDatabase],
  ['the database user', alterUser],
])('time limits of %s do not end a backup, a restore or a process’s presence', async (_, alter) => {
  const address = await migratedIn('', noon)
  // No shorter: they apply to a connection until it has lifted them, which takes a while on a busy machine.
  for (const limit of ['transaction_timeout', 'statement_timeout', 'lock_timeout'])
    await alter(address, `${limit} = '500ms'`)
  const longer = () => script(address, 'SELECT pg_sleep(0.6)')
  const db = await openDatabase(address)
  const presence = await presences.open(address, () => {})
  const snapshot = await snapshots.take(address)
  await longer()
  expect(await snapshots.hold(address, noon)).toBe(undefined)
  expect(presence.lost.aborted).toBe(false)
  expect(await snapshot.photos()).toEqual([])
  await Promise.all([db.close(), presence.end(), snapshot.close()])
  const held = await snapshots.hold(address, noon)
  await longer()
  const built = await held?.build(migrations.map((one) => ({ ...one, ranAt: noon })))
  await built?.putInPlace()
  await held?.end()
})

/** Sets a default for future connections of the user to this database. */
async function alterUser(address: DatabaseAddress, setting: string): Promise<void> {
  const { database } = serverOf(address)
  await script(address, `ALTER ROLE CURRENT_USER IN DATABASE ${quoted(database)} SET ${setting}`)
}

test('a table whose IDs are GENERATED ALWAYS can be restored, and its IDs continue', async () => {
  const { address } = await temporaryDatabase()
  const sql = `CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text);
    INSERT INTO orders (kind) VALUES ('a'), ('b')`
  const known = [...migrations, { name: '29991231000000_orders.sql', sql }]
  await migrate(address, known, noon)
  const other = await addressIn()
  await replaceContent(address, other, known)
  await script(other, `INSERT INTO orders (kind) VALUES ('c')`)
  expect((await everyRow(other))['orders']).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ])
})

test('a schema can be backed up whatever its name', async () => {
  const address = await addressIn()
  for (const name of ['Shop', 'Odd "Name']) {
    await script(address, `CREATE SCHEMA ${quoted(name)}`)
    const own = { url: `${urlOf(address)}?search_path=${encodeURIComponent(quoted(name))}` }
    await migrate(own, migrations, noon)
    const snapshot = await snapshots.take(own)
    expect(snapshot.tables.map((table) => table.name)).toContain('users')
    await snapshot.close()
  }
})

test('a backup by a user who may not read the sequences fails with the GRANT to run', async () => {
  const { address } = await temporaryDatabase()
  const role = `few_${randomBytes(8).toString('hex')}`
  await script(
    address,
    `CREATE ROLE ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
  )
  onTestFinished(() => script(address, `SET ROLE NONE; DROP OWNED BY ${role}; DROP ROLE ${role}`))
  await alterDatabase(address, `role = ${role}`)
  await expect(snapshots.take(address)).rejects.toThrow(
    /^The user in DB_URL may not read the sequences public\.\w+, .*: have their owner run GRANT SELECT ON ALL SEQUENCES IN SCHEMA "public" TO "few_/,
  )
})

test('while a restore holds the database nobody can open it, and an abandoned restore leaves nothing', async () => {
  const address = await addressIn()
  const held = await snapshots.hold(address, noon)
  await held?.build(migrations.map((one) => ({ ...one, ranAt: noon })))
  await expect(openDatabase(address, { wait: 2000 })).rejects.toThrow('A restore has the database')
  await held?.end()
  const db = await openDatabase(address)
  const schemas = await db.all`SELECT 1 FROM pg_namespace WHERE nspname LIKE '%restore%'`
  expect(schemas).toEqual([])
  await db.close()
})
