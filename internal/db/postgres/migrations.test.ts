import { expect, onTestFinished, test, vi } from 'vitest'
import { noon, unusedAddress } from '../../testing/database.ts'
import { holdMigrations, waitingToMigrate } from '../../testing/postgres/migrating.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { migrate } from './migrations.ts'

const cats = { name: '20270101000000_cats.sql', sql: 'CREATE TABLE cats (id INTEGER)' }

test('who waits long for its turn is told how one that is gone is ended, and goes on once that is done', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const database = await unusedAddress()
  await holdMigrations(database)
  const told: string[] = []
  const migrating = migrate(database, [cats], noon, (advice) => void told.push(advice))
  await expect.poll(() => waitingToMigrate(database)).toBe(1)
  vi.advanceTimersByTime(10_000)
  const [, ends = ''] = / If it is gone, end its connection: (SELECT .+)$/.exec(told[0] ?? '') ?? []
  const by = await Connection.open(serverOf(database))
  await by.script(ends)
  await by.end()
  expect(await migrating).toEqual([cats.name])
})
