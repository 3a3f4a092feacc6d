import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { snapshots } from '#db/snapshot'
import { noon, temporaryFolder } from '../../testing/database/database.ts'
import { lossyProxy } from '../../testing/network/lossy-proxy.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { migratedIn } from '#testing/migrated'

const isServer = addresses.setting === 'DB_URL'

/**
 * Opens a database through a proxy, with the guard's connection as number 0 and the pool's as 1. `wait`: milliseconds
 * that a request waits for a connection.
 */
async function guarded({ wait = 10_000 } = {}) {
  const address = await migratedIn(temporaryFolder(), noon)
  const line = await lossyProxy(address)
  const errors: unknown[] = []
  const unguarded = (error: unknown) => void errors.push(error)
  const db = await openDatabase(line.address, { wait, unguarded })
  onTestFinished(() => db.close())
  expect(line.connectionCount()).toBe(2)
  const outcome = () =>
    allUsers(db).then(
      () => 'served',
      ({ name }: Error) => name,
    )
  return { address, db, line, errors, outcome }
}

test.runIf(isServer)(
  'while the connection that keeps restores out is lost, nothing is served, and that is reported once',
  async () => {
    const { address, line, errors, outcome } = await guarded({ wait: 1000 })
    line.refuse(true)
    line.cut(0)
    await expect.poll(outcome).toBe('DatabaseBusy')
    const more = line.connectionCount() + 2
    await expect.poll(() => line.connectionCount()).toBeGreaterThan(more)
    const held = await snapshots.hold(address, noon)
    expect([held === undefined, await outcome(), errors.length]).toEqual([false, 'DatabaseBusy', 1])
    await held?.end()
    line.refuse(false)
    await expect.poll(outcome).toBe('served')
    expect(await snapshots.hold(address, noon)).toBeUndefined()
  },
)

test.runIf(isServer)(
  'a refused request says why the connection that keeps restores out cannot be opened again',
  async () => {
    const { address, db, line } = await guarded({ wait: 1000 })
    line.refuse(true)
    line.cut(0)
    let held: Awaited<ReturnType<typeof snapshots.hold>>
    await expect.poll(async () => (held = await snapshots.hold(address, noon))).toBeDefined()
    line.refuse(false)
    const refusal = () => allUsers(db).catch(({ message }: Error) => message)
    await expect
      .poll(refusal)
      .toBe(
        'No restore can be kept out of the database now: A restore has the database to itself: wait for its end, and try again.',
      )
    await held?.end()
  },
)

/** Returns how many timers keep the process running. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

test('a closed database leaves no timer that keeps the process running', async () => {
  const address = await migratedIn(temporaryFolder(), noon)
  const before = timers()
  const db = await openDatabase(address)
  await allUsers(db)
  await db.close()
  // Sometimes Vitest has a timer of its own, for a tenth of a second.
  const until = performance.now() + 2000
  while (timers() > before && performance.now() < until) await nextTurn()
  expect(timers()).toBeLessThanOrEqual(before)
})

test.runIf(isServer)(
  'a request waits until a lost guard connection is replaced, and is served',
  async () => {
    const { address, line, errors, outcome } = await guarded()
    line.cut(0)
    await expect.poll(() => line.connectionCount()).toBe(3)
    expect([await outcome(), errors]).toEqual(['served', []])
    expect(await snapshots.hold(address, noon)).toBeUndefined()
  },
)

test.runIf(isServer)(
  'a guard connection that gets no answer from the server is replaced',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { line, outcome } = await guarded()
    line.silence(0)
    // The guard asks the server for the time.
    await vi.advanceTimersByTimeAsync(30_000)
    await expect.poll(() => line.connectionCount()).toBe(3)
    expect(await outcome()).toBe('served')
  },
)

test.runIf(isServer)(
  'the server’s time is asked again as soon as the machine’s clock is set',
  async () => {
    const { db, line } = await guarded()
    // The timer by which the guard asks every half minute stands still too.
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 600_000)
    line.silence(0)
    db.now()
    // Another connection replaces the one that does not answer.
    await expect.poll(() => line.connectionCount()).toBe(3)
  },
)
