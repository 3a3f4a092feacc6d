import { expect, onTestFinished, vi } from 'vitest'
import { migrate } from '#db/migrations'
import { snapshots } from '#db/snapshot'
import { migratedIn } from '#testing/migrated'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { migrations, noon } from './database.ts'
import { buildReplacement } from './snapshots.ts'

/** What another program does on the tests' database server. */
export interface TableHolder {
  /** Begins a transaction that has read a table, and so prevents changes of the table. */
  readUsers(this: void, database: DatabaseAddress): Promise<void>
  /** Returns how many connections wait for a table. */
  waitingForTables(this: void, database: DatabaseAddress): Promise<number>
  /** Does exactly what the advice says. */
  followAdvice(this: void, database: DatabaseAddress, advice: string): Promise<void>
}

/** Makes work wait for that transaction, and ends it by the advice given after a long wait. */
async function checkAdvice(
  { readUsers, waitingForTables, followAdvice }: TableHolder,
  work: (database: DatabaseAddress, advise: (advice: string) => void) => Promise<unknown>,
): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const database = await migratedIn('', noon)
  await readUsers(database)
  const advices: string[] = []
  const result = work(database, (advice) => void advices.push(advice))
  await expect.poll(() => waitingForTables(database)).toBe(1)
  expect(advices).toEqual([])
  vi.advanceTimersByTime(10_000)
  await expect.poll(() => advices.length).toBe(1)
  await followAdvice(database, advices[0] ?? '')
  await result
}

/** A restore waiting for the transaction advises how to end it, and then continues. */
export function checkRestoreAdvice(holder: TableHolder): Promise<void> {
  return checkAdvice(holder, async (database, advise) => {
    const locked = await snapshots.hold(database, noon, advise)
    if (!locked) throw new Error('It is open already.')
    const replacement = await buildReplacement(locked)
    expect(await replacement.putInPlace()).toMatch(/before_restore/)
    await locked.end()
  })
}

/** A migration waiting for the transaction advises how to end it, and then continues. */
export function checkMigrationAdvice(holder: TableHolder): Promise<void> {
  return checkAdvice(holder, async (database, advise) => {
    const sql = 'ALTER TABLE users ADD COLUMN initials VARCHAR(9)'
    const initials = { name: '29991231000000_initials.sql', sql }
    const ran = await migrate(database, [...migrations, initials], noon, { advise })
    expect(ran).toEqual([initials.name])
  })
}
