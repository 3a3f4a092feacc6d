import { expect, onTestFinished, test } from 'vitest'
import { noon, unusedAddress } from '../../testing/database.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { migrate } from './migrations.ts'
import { snapshots } from './snapshot.ts'

test('no restore begins while one runs', async () => {
  const database = await unusedAddress()
  const gate = await Connection.open(serverOf(database))
  onTestFinished(() => gate.end())
  await gate.script('SELECT pg_advisory_lock(7)')
  const cats = { name: '20270101000000_cats.sql', sql: 'SELECT pg_advisory_xact_lock(7)' }
  const migrating = migrate(database, [cats], noon)
  const waiting = () =>
    gate.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
  await expect.poll(waiting).toEqual([[1]])
  expect(await snapshots.hold(database, noon)).toBeUndefined()
  await gate.script('SELECT pg_advisory_unlock(7)')
  expect(await migrating).toEqual([cats.name])
})
