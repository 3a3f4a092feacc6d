import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDatabase } from '../../../testing/database/database.ts'
import type { Db } from '../../db.ts'
import { fileOf } from '../address.ts'
import { openWriter } from '../connection.ts'

test('reads in one event loop turn see one moment, those in the next what another process wrote', async () => {
  const { db, other } = await openThings()
  expect([await ids(db), await ids(db)]).toEqual([[], []])
  other.exec('INSERT INTO things VALUES (1)')
  expect(await ids(db)).toEqual([])
  await nextTurn()
  expect(await ids(db)).toEqual([1])
})

test('a request sent after another process has committed sees that commit, whatever was read before', async () => {
  const { db, other } = await openThings()
  const { client, server } = await connected()
  for (const before of [db.run`INSERT INTO things VALUES (1)`, pause(1), nextTurn()]) {
    const idsRead = once(server, 'data').then(() => ids(db))
    await before
    await ids(db)
    await ids(db)
    const { lastInsertRowid } = other.prepare('INSERT INTO things VALUES (NULL)').run()
    client.write('GET')
    expect(await idsRead).toContain(lastInsertRowid)
  }
})

test('a process sees its own write at once, even in the turn of its commit', async () => {
  const { db } = await openThings()
  const [isWritten, isRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const written = db.transaction(async (tx) => {
    await tx.run`INSERT INTO things VALUES (1)`
    isWritten.resolve()
    await isRead.promise
  })
  await isWritten.promise
  expect([await ids(db), await ids(db)]).toEqual([[], []])
  isRead.resolve()
  await written
  expect([await ids(db), await ids(db)]).toEqual([[1], [1]])
})

test('the log can be emptied in a turn that has read', async () => {
  const { db } = await openThings()
  await db.run`INSERT INTO things VALUES (1)`
  const read = nextTurn().then(async () => [await ids(db), await ids(db)])
  const emptied = db.emptyLog()
  expect([await read, await emptied]).toEqual([[[1], [1]], true])
})

test('a read whose turn ends after the database is closed causes no error', async () => {
  const { db } = await openThings()
  const errors: unknown[] = []
  const note = (error: unknown) => void errors.push(error)
  process.on('uncaughtExceptionMonitor', note)
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', note))
  expect([await ids(db), await ids(db)]).toEqual([[], []])
  await db.close()
  await nextTurn()
  expect(errors).toEqual([])
})

async function connected() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1')
  const [server] = (await once(listener, 'connection')) as [Socket]
  onTestFinished(() => {
    for (const opened of [client, server]) opened.destroy()
    listener.close()
  })
  return { client, server }
}

async function openThings() {
  const { db, address } = await temporaryDatabase()
  await db.run`CREATE TABLE things (id INTEGER PRIMARY KEY)`
  const other = await openWriter(fileOf(address), 0)
  onTestFinished(() => void other.close())
  return { db, other }
}

async function ids(db: Db): Promise<number[]> {
  const rows = await db.all<{ id: number }>`SELECT id FROM things ORDER BY id`
  return rows.map(({ id }) => id)
}
