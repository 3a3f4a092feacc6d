import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrations, noon, temporaryDatabase, temporaryFolder } from '../../testing/database.ts'
import { addToEveryTable, everyRow } from '../../testing/snapshots.ts'
import { readMigrations } from '../migrate.ts'
import { openDatabase } from './driver.ts'
import { snapshots } from './snapshot.ts'
import { migrationsFolder as ofSqlite } from '../sqlite/migrations.ts'
import { snapshots as inSqlite } from '../sqlite/snapshot.ts'
import { addressIn } from '../../testing/postgres/address.ts'
import { allUsers } from '../../testing/rows.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Migration } from '../migrate.ts'
import type { Snapshots } from '../snapshot.ts'

interface Place {
  readonly snapshots: Snapshots
  readonly address: DatabaseAddress
  readonly migrations: readonly Migration[]
}

/** Puts all that is in one database into another, of whichever kind, and returns how many rows each table has. */
async function move(from: Place, to: Place): Promise<Readonly<Record<string, number>>> {
  const snapshot = await from.snapshots.take(from.address)
  const held = await to.snapshots.hold(to.address, noon)
  if (!held) throw new Error('It is open already.')
  try {
    const built = await held.build(to.migrations.map((one) => ({ ...one, ranAt: noon })))
    for (const table of snapshot.tables) await built.put(table, snapshot.rows(table))
    const counts = await built.check()
    await built.putInPlace()
    return counts
  } finally {
    await held.end()
    await snapshot.close()
  }
}

test('what is moved to SQLite and back is the same, row for row', async () => {
  const { db, address } = await temporaryDatabase()
  await addToEveryTable(db)
  const rows = await everyRow(address)
  const here = { snapshots, address, migrations }
  const file = { file: join(temporaryFolder(), 'app.db') }
  const there = { snapshots: inSqlite, address: file, migrations: readMigrations(ofSqlite) }
  const back = { snapshots, address: await addressIn(), migrations }
  const counts = [await move(here, there), await move(there, back)]
  const own = Object.fromEntries(Object.entries(rows).map(([name, of]) => [name, of.length]))
  expect(counts).toEqual([own, own])
  expect(Object.values(own).filter((count) => count === 0)).toEqual([])
  expect(await everyRow(back.address)).toEqual(rows)
  const moved = await openDatabase(back.address)
  expect(await allUsers(moved)).toEqual(await allUsers(db))
  await moved.close()
})

test('while it is held nobody opens it, and one that came to nothing left nothing', async () => {
  const address = await addressIn()
  const held = await snapshots.hold(address, noon)
  await held?.build(migrations.map((one) => ({ ...one, ranAt: noon })))
  await expect(openDatabase(address, { wait: 100 })).rejects.toThrow('A restore has the database')
  await held?.end()
  const db = await openDatabase(address)
  const schemas = await db.all`SELECT 1 FROM pg_namespace WHERE nspname LIKE '%restore%'`
  expect(schemas).toEqual([])
  await db.close()
})
