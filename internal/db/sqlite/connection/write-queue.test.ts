import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fileOf } from '../address.ts'
import { DatabaseBusy, type Database, type Db } from '../../db.ts'
import { openWriter } from '../connection.ts'
import { openDatabase } from '../driver.ts'
import { WriteQueue } from './write-queue.ts'
import { temporaryDatabase } from '../../../testing/database/database.ts'

const fail = new Error('The work failed.')

async function openThings() {
  const { db, address } = await temporaryDatabase({ wait: 300 })
  const path = fileOf(address)
  await db.run`CREATE TABLE things (id INTEGER PRIMARY KEY)`
  return { db, path }
}

/** Stops the clock until the end of the test: a commit waits for 20 ms of writes, which a busy machine may take. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

const ids = async (db: Database) =>
  (await db.all<{ id: number }>`SELECT id FROM things ORDER BY id`).map(({ id }) => id)

/** Returns how many commits the database's log contains: frames that state its size after them. */
function commitsOf(path: string): number {
  const log = readFileSync(`${path}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  const frames = Array.from({ length: Math.floor((log.length - 32) / frame) }, (_, i) =>
    log.subarray(32 + i * frame),
  )
  // Frames of an older round of the log have different salts than its header.
  const current = frames.filter((head) => head.subarray(8, 16).equals(log.subarray(16, 24)))
  return current.filter((head) => head.readUInt32BE(4) > 0).length
}

test('writes that wait together are committed together', async () => {
  const { db, path } = await openThings()
  stopClock()
  const before = commitsOf(path)
  const bare = Array.from({ length: 50 }, (_, id) => db.run`INSERT INTO things VALUES (${id})`)
  const transactions = Array.from({ length: 50 }, (_, id) =>
    db.transaction((tx) => tx.run`INSERT INTO things VALUES (${100 + id})`),
  )
  await Promise.all([...bare, ...transactions])
  expect(commitsOf(path) - before).toBe(1)
  expect(await ids(db)).toHaveLength(100)
})

test('a write that arrives during other writes joins their commit', async () => {
  const { db, path } = await openThings()
  stopClock()
  const before = commitsOf(path)
  const joined: Promise<number>[] = []
  const outside = Promise.withResolvers<void>()
  const write = outside.promise.then(() => joined.push(db.run`INSERT INTO things VALUES (2)`))
  await db.transaction(async (tx) => {
    await tx.run`INSERT INTO things VALUES (1)`
    outside.resolve()
    await write
  })
  await Promise.all(joined)
  expect(commitsOf(path) - before).toBe(1)
  expect(await ids(db)).toEqual([1, 2])
})

test('a write of the next turn joins the commit while each turn brings another write', async () => {
  const { db, path } = await openThings()
  stopClock()
  const before = commitsOf(path)
  const written = [1, 2].map((id) => db.run`INSERT INTO things VALUES (${id})`)
  await nextTurn()
  written.push(db.run`INSERT INTO things VALUES (3)`)
  await Promise.all(written)
  expect(commitsOf(path) - before).toBe(1)
})

/**
 * Returns how many writes are issued, two and then one a turn, before the first is durable. `perTurn`: milliseconds.
 */
async function askedForMeanwhile(db: Database, perTurn: number): Promise<number> {
  const written: Promise<number>[] = []
  const write = () => {
    const one = db.run`INSERT INTO things VALUES (${written.length})`
    written.push(one)
    return one
  }
  const first = { isKept: false }
  void write().then(() => (first.isKept = true))
  while (!first.isKept) {
    void write()
    vi.advanceTimersByTime(perTurn)
    await nextTurn()
  }
  await Promise.all(written)
  return written.length
}

test('the first write waits for at most 256 writes that follow one by one, and for at most 20 ms', async () => {
  const { db } = await openThings()
  stopClock()
  const inNoTime = await askedForMeanwhile(db, 0)
  await db.run`DELETE FROM things`
  const slowly = await askedForMeanwhile(db, 5)
  expect([inNoTime, slowly]).toEqual([256, 5])
})

test('of 300 waiting writes 256 are committed first, so that the first does not wait for all', async () => {
  const { db, path } = await openThings()
  stopClock()
  const before = commitsOf(path)
  const written = Array.from({ length: 300 }, (_, id) => db.run`INSERT INTO things VALUES (${id})`)
  await written[0]
  expect([(await ids(db)).length, commitsOf(path) - before]).toEqual([256, 1])
  await Promise.all(written)
  expect([(await ids(db)).length, commitsOf(path) - before]).toEqual([300, 2])
})

/** Returns the nth write, which records whether its transaction ends with an fsync. */
const write = (db: Db, n: number) =>
  db.run`INSERT INTO things SELECT 10 * ${n} + synchronous FROM pragma_synchronous`

const syncOf = async (db: Database) =>
  (await db.all<{ id: number }>`SELECT id FROM things ORDER BY id`).map(({ id }) => [
    Math.floor(id / 10),
    id % 10 === 2,
  ])

test('an unsynced write is committed without an fsync, unless it is committed with a synced one', async () => {
  const { db, path } = await openThings()
  await write(db, 1)
  await write(db.unsynced, 2)
  await db.transaction((tx) => write(tx, 3))
  await write(db.unsynced, 4)
  expect(await syncOf(db)).toEqual([
    [1, true],
    [2, false],
    [3, true],
    [4, false],
  ])
  stopClock()
  const before = commitsOf(path)
  await Promise.all([write(db.unsynced, 5), write(db, 6), write(db.unsynced, 7)])
  expect(commitsOf(path) - before).toBe(1)
  expect((await syncOf(db)).slice(4)).toEqual([
    [5, true],
    [6, true],
    [7, true],
  ])
})

test('among many unsynced writes about every fiftieth is fsynced', async () => {
  const { db } = await openThings()
  for (let n = 0; n < 120; n++) await write(db.unsynced, n)
  const synced = (await syncOf(db)).filter(([, isSynced]) => isSynced)
  expect(synced.map(([n]) => n)).toEqual([50, 101])
})

async function ownQueue() {
  const { path } = await openThings()
  const connection = await openWriter(path, 0)
  onTestFinished(() => void connection.close())
  const queue = new WriteQueue(connection, {
    wait: 0,
    beforeTransaction: () => undefined,
    beforeCommit: () => undefined,
    afterTransaction: () => undefined,
    fatal: () => expect.fail(),
  })
  return { connection, queue }
}

test('a synced write that arrives during an unsynced one has a commit and an fsync of its own', async () => {
  const { connection, queue } = await ownQueue()
  const settings = ['synchronous', 'wal_autocheckpoint']
  // The log is checkpointed only after an fsync, where a failing one is reported.
  const now = () => [
    connection.inTransaction,
    ...settings.map((name) => connection.pragma(name, { simple: true })),
  ]
  const attempts: unknown[] = []
  const change = Promise.withResolvers<unknown>()
  await queue.write({
    isSynced: false,
    attempt: () => {
      attempts.push(['counted', ...now()])
      const attempt = () => attempts.push(['changed', ...now()])
      change.resolve(queue.write({ isSynced: true, attempt }))
    },
  })
  expect(attempts).toEqual([['counted', true, 1, 0]])
  await change.promise
  expect(attempts).toEqual([
    ['counted', true, 1, 0],
    ['changed', true, 2, 1000],
  ])
})

test('work between two commits is fsynced, whatever was written before', async () => {
  const { connection, queue } = await ownQueue()
  await queue.write({ isSynced: false, attempt: () => undefined })
  expect(await queue.aside(() => connection.pragma('synchronous', { simple: true }))).toBe(2)
})

test('a write is acknowledged only once another process can see it', async () => {
  const { db, path } = await openThings()
  const other = await openWriter(path, 0)
  await db.run`INSERT INTO things VALUES (1)`
  expect(other.prepare('SELECT count(*) FROM things').pluck().get()).toBe(1)
  other.close()
})

test('a transaction that throws leaves nothing, and writes committed with it stay', async () => {
  const { db } = await openThings()
  const results = await Promise.allSettled([
    db.transaction((tx) => tx.run`INSERT INTO things VALUES (1)`),
    db.transaction(async (tx) => {
      await tx.run`INSERT INTO things VALUES (2)`
      await tx.run`INSERT INTO things VALUES (3)`
      throw fail
    }),
    db.run`INSERT INTO things VALUES (1)`,
    db.run`INSERT INTO things VALUES (4)`,
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(await ids(db)).toEqual([1, 4])
})

test('other writes do not land inside a transaction that awaits', async () => {
  const { db } = await openThings()
  const transaction = db.transaction(async (tx) => {
    await tx.run`INSERT INTO things VALUES (1)`
    await pause(5)
    expect(await tx.all`SELECT * FROM things`).toEqual([{ id: 1 }])
    throw fail
  })
  const other = db.run`INSERT INTO things VALUES (2)`
  await expect(transaction).rejects.toBe(fail)
  await other
  expect(await ids(db)).toEqual([2])
})

test('a transaction returns what its work returns', async () => {
  const { db } = await openThings()
  expect(await db.transaction(async () => 'done')).toBe('done')
})

test('afterCommit callbacks run in order, after the commit and before the caller continues', async () => {
  const { db, path } = await openThings()
  const order: string[] = []
  const other = await openWriter(path, 0)
  const count = () => Number(other.prepare('SELECT count(*) FROM things').pluck().get())
  await db.transaction(async (tx) => {
    tx.afterCommit(() => order.push(`first, of ${count()}`))
    tx.afterCommit(() => order.push('second'))
    await tx.run`INSERT INTO things VALUES (1)`
    order.push(`work, of ${count()}`)
  })
  order.push('caller')
  other.close()
  expect(order).toEqual(['work, of 0', 'first, of 1', 'second', 'caller'])
})

test('afterCommit does not run for a transaction that is rolled back', async () => {
  const { db } = await openThings()
  const ran: string[] = []
  const failed = db.transaction(async (tx) => {
    tx.afterCommit(() => ran.push('committed'))
    throw fail
  })
  await expect(failed).rejects.toBe(fail)
  expect(ran).toEqual([])
})

test('inside a transaction only its tx can be used, and no other transaction can begin', async () => {
  const { db } = await openThings()
  await db.transaction(async (tx) => {
    await expect(db.run`DELETE FROM things`).rejects.toThrow(
      'only its tx is asked; hand it to: DELETE FROM things',
    )
    await expect(db.transaction(async () => 1)).rejects.toThrow('holds no other')
    await tx.run`INSERT INTO things VALUES (1)`
    await expect(db.all`SELECT * FROM things`).rejects.toThrow('hand it to: SELECT * FROM things')
    await expect(db.first`SELECT 1`).rejects.toThrow('hand it to: SELECT 1')
  })
  expect(await ids(db)).toEqual([1])
})

test('work left behind by a transaction can write to the database, but not through its tx', async () => {
  const { db } = await openThings()
  const left: Promise<void>[] = []
  const over = Promise.withResolvers<void>()
  await db.transaction(async (tx) => {
    const background = async () => {
      await over.promise
      await expect(tx.run`INSERT INTO things VALUES (1)`).rejects.toThrow('came too late: INSERT')
      await db.run`INSERT INTO things VALUES (2)`
      await db.transaction((late) => late.run`INSERT INTO things VALUES (3)`)
    }
    left.push(background())
  })
  over.resolve()
  await Promise.all(left)
  expect(await ids(db)).toEqual([2, 3])
})

test('a failing commit fails every write in it, and the next commit works', async () => {
  const { db } = await openThings()
  stopClock()
  await db.run`CREATE TABLE parts (thing INTEGER REFERENCES things DEFERRABLE INITIALLY DEFERRED)`
  const results = await Promise.allSettled([
    db.run`INSERT INTO things VALUES (1)`,
    db.transaction((tx) => tx.run`INSERT INTO parts VALUES (9)`),
    db.transaction(async () => {
      throw fail
    }),
  ])
  const failed = { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } }
  expect(results).toMatchObject([failed, failed, failed])
  await db.run`INSERT INTO things VALUES (2)`
  expect(await ids(db)).toEqual([2])
})

test('when SQLite itself rolls back, every write in that commit fails and none is stored', async () => {
  const { db } = await openThings()
  stopClock()
  await db.run`CREATE TRIGGER refuse BEFORE INSERT ON things WHEN new.id = 13
               BEGIN SELECT RAISE(ROLLBACK, 'Thirteen.'); END`
  const results = await Promise.allSettled([
    db.run`INSERT INTO things VALUES (1)`,
    db.transaction(async (tx) => {
      await expect(tx.run`INSERT INTO things VALUES (13)`).rejects.toThrow('Thirteen.')
      await tx.run`INSERT INTO things VALUES (2)`
    }),
  ])
  const failed = { status: 'rejected', reason: { message: expect.stringContaining('rolled back') } }
  expect(results).toMatchObject([failed, failed])
  await db.run`INSERT INTO things VALUES (3)`
  expect(await ids(db)).toEqual([3])
})

test('writes fail while the disk is full, and succeed again once there is room', async () => {
  const { db } = await openThings()
  stopClock()
  await db.run`CREATE TABLE large (bytes BLOB)`
  const pages = await db.first<{ pageCount: number }>`PRAGMA page_count`
  await db.transaction((tx) => tx.first`PRAGMA max_page_count = 50`)
  expect(pages?.pageCount).toBeLessThan(50)
  const results = await Promise.allSettled([
    db.run`INSERT INTO things VALUES (1)`,
    db.transaction((tx) => tx.run`INSERT INTO large VALUES (zeroblob(1000000))`),
  ])
  const full = { status: 'rejected', reason: { code: 'SQLITE_FULL' } }
  expect(results).toMatchObject([full, full])
  expect(await ids(db)).toEqual([])
  await db.transaction((tx) => tx.first`PRAGMA max_page_count = 100000`)
  await db.run`INSERT INTO large VALUES (zeroblob(1000000))`
  expect(await db.first`SELECT count(*) AS n FROM large`).toEqual({ n: 1 })
})

test('while another process locks the database, reads continue and writes fail as busy', async () => {
  const { db, path } = await openThings()
  const other = await openWriter(path, 0)
  other.exec('BEGIN IMMEDIATE')
  const writes = Promise.allSettled([
    db.run`INSERT INTO things VALUES (1)`,
    db.transaction((tx) => tx.run`INSERT INTO things VALUES (2)`),
  ])
  expect(await ids(db)).toEqual([])
  const [first, second] = await writes
  expect(first).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseBusy) })
  expect(second).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseBusy) })
  other.exec('ROLLBACK')
  other.close()
  await db.run`INSERT INTO things VALUES (3)`
  expect(await ids(db)).toEqual([3])
})

test('a waiting write continues as soon as another process releases its lock', async () => {
  const { path } = await openThings()
  const db = await openDatabase({ file: path }, { wait: 10_000 })
  const other = await openWriter(path, 0)
  other.exec('BEGIN IMMEDIATE')
  const written = db.run`INSERT INTO things VALUES (1)`
  // The event loop is free while the writer waits: this runs.
  await pause(150)
  other.exec('COMMIT')
  other.close()
  expect(await written).toBe(1)
  expect(await db.transaction((tx) => tx.first`PRAGMA busy_timeout`)).toEqual({ timeout: 100 })
  await db.close()
})

/** Writes rows until the disk refuses them; reports each acknowledged one. */
const untilRefused = `
  const { openDatabase } = await import(process.argv[1])
  const db = await openDatabase({ file: process.argv[2] })
  for (let id = 1; ; id++) {
    await db.run\`INSERT INTO large VALUES (\${id}, zeroblob(20000))\`.catch((error) => {
      console.log(error.name, error.cause.code)
      setInterval(() => {}, 1000)
      return new Promise(() => {})
    })
    console.log(id)
  }`

test.skipIf(process.platform === 'win32')(
  'a disk failure during a commit is reported as in doubt, ends the process, and loses no acknowledged write',
  async () => {
    const { db, path } = await openThings()
    await db.run`CREATE TABLE large (id INTEGER PRIMARY KEY, bytes BLOB)`
    const limited = `trap '' XFSZ; ulimit -f 600; exec "$0" --input-type=module -e "$@"`
    const driver = new URL('../driver.ts', import.meta.url).href
    const writing = promisify(execFile)(
      'sh',
      ['-c', limited, process.execPath, untilRefused, driver, path],
      { timeout: 30_000 },
    )
    const { code, stdout } = (await writing.catch((error: unknown) => error)) as {
      code: number
      stdout: string
    }
    const lines = stdout.trim().split('\n')
    expect(code).toBe(1)
    expect(lines.at(-1)).toMatch(/^CommitInDoubt SQLITE_IOERR/)
    expect(lines.length).toBeGreaterThan(2)
    const kept = await db.all<{ id: number }>`SELECT id FROM large ORDER BY id`
    expect(kept.map(({ id }) => `${id}`)).toEqual(lines.slice(0, -1))
  },
)
