import { expect, onTestFinished, test, vi } from 'vitest'
import { noon, temporaryDatabase, unusedAddress } from '../../testing/database/database.ts'
import { checkMigrationAdvice, checkRestoreAdvice } from '../../testing/database/held-table.ts'
import { tableHolder, holdMigrations, waitingToMigrate } from '../../testing/postgres/migrating.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { migrate } from './migrations.ts'
import { snapshots } from './snapshot.ts'
import type { Database } from '../db.ts'

const cats = { name: '20270101000000_cats.sql', sql: 'CREATE TABLE cats (id INTEGER)' }

test('a migration that waits long for its turn says how to end the one before it, and then runs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const database = await unusedAddress()
  await holdMigrations(database)
  const advices: string[] = []
  const migrating = migrate(database, [cats], noon, {
    advise: (advice) => void advices.push(advice),
  })
  await expect.poll(() => waitingToMigrate(database)).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  const [, ends = ''] =
    / If it is gone, end its connection: (SELECT .+)$/.exec(advices[0] ?? '') ?? []
  const by = await Connection.open(serverOf(database))
  await by.script(ends)
  await by.end()
  expect(await migrating).toEqual([cats.name])
})

test('a migration that waits long for another program’s transaction says how to end it, and then runs', () =>
  checkMigrationAdvice(tableHolder))

test('a restore that waits long for another program’s transaction says how to end it, and then finishes', () =>
  checkRestoreAdvice(tableHolder))

test('no restore begins while a migration runs', async () => {
  const database = await unusedAddress()
  const gate = await Connection.open(serverOf(database))
  onTestFinished(() => gate.end())
  await gate.script('SELECT pg_advisory_lock(7)')
  const cats = { name: '20270101000000_cats.sql', sql: 'SELECT pg_advisory_xact_lock(7)' }
  const migrating = migrate(database, [cats], noon)
  const waiting = () =>
    gate.rows(`
      SELECT 1 FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
  await expect.poll(waiting).toEqual([[1]])
  expect(await snapshots.hold(database, noon)).toBeUndefined()
  await gate.script('SELECT pg_advisory_unlock(7)')
  expect(await migrating).toEqual([cats.name])
})

test('every foreign key to a user cascades or is set to NULL on delete, and has an index', async () => {
  const { db } = await temporaryDatabase()
  const keys = await keysToUsers(db)
  expect(keys.length).toBeGreaterThan(5)
  expect(
    keys.filter(({ letsGo }) => !letsGo).map(({ column }) => column),
    'These keep an account from being deleted: give each ON DELETE CASCADE, or SET NULL.',
  ).toEqual([])
  expect(
    keys.filter(({ isIndexed }) => !isIndexed).map(({ column }) => column),
    'Give each of these an index that begins with it, in its migration.',
  ).toEqual([])
})

interface Key {
  readonly column: string
  readonly letsGo: boolean
  readonly isIndexed: boolean
}

/**
 * Returns every foreign key to an account, whatever its column's name. An index may leave out rows where it is NULL.
 */
function keysToUsers(db: Database): Promise<Key[]> {
  return db.all<Key>`
    SELECT format('%s.%s', k.conrelid::regclass, c.attname) AS "column",
      k.confdeltype IN ('c', 'n') AS "letsGo",
      EXISTS (
        SELECT FROM pg_index i
        WHERE i.indrelid = k.conrelid AND i.indkey[0] = c.attnum
          AND coalesce(pg_get_expr(i.indpred, i.indrelid), '') IN ('', format('(%I IS NOT NULL)', c.attname))
      ) AS "isIndexed"
    FROM pg_constraint k
    JOIN pg_attribute c ON c.attrelid = k.conrelid AND c.attnum = k.conkey[1]
    WHERE k.contype = 'f' AND k.confrelid = 'users'::regclass
    ORDER BY "column"`
}
