import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { users } from '#db/users'
import { addUser } from '../../testing/database/user-rows.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { proxyDatabase } from '../../testing/network/database-proxy.ts'
import { DatabaseBusy, type DatabaseOptions, type Db } from '../db.ts'
import type { ProxiedConnection } from '../../testing/network/open-proxy.ts'

const onServer = test.runIf(addresses.setting === 'DB_URL')

function cut({ client, server }: ProxiedConnection): void {
  client.destroy()
  server.destroy()
}

/** Opens a database with a user and one connection for requests: the server grants no other. */
async function narrow(options: DatabaseOptions = {}) {
  const { db: other, address } = await temporaryDatabase()
  const { id } = await addUser(other)
  const open = new Set<ProxiedConnection>()
  let [most, refused] = [Infinity, 0]
  const throughProxy = await proxyDatabase(address, {}, (through) => {
    if (open.size >= most) {
      refused++
      return cut(through)
    }
    open.add(through)
    const { client, server } = through
    client.on('close', () => void open.delete(through))
    client.on('data', (part: Buffer) => void server.write(part))
    server.on('data', (part: Buffer) => void client.write(part))
  })
  const db = await openDatabase(throughProxy, options)
  onTestFinished(() => db.close())
  /** Makes the server grant this many more connections from now on. */
  const grant = (more: number) => void (most = open.size + more)
  grant(0)
  return {
    db,
    read: async (from: Db = db) => (await users.byId(from, id))?.id === id,
    grant,
    isRefused: () => expect.poll(() => refused).toBeGreaterThan(0),
    /** Cuts all connections, and makes the server refuse new ones. */
    lose: () => {
      most = 0
      open.forEach(cut)
    },
  }
}

/** Like `narrow`, with its connection in use until `letGo`. */
async function inUse(options?: DatabaseOptions) {
  const { db, ...narrowed } = await narrow(options)
  const isHeld = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  onTestFinished(() => isOver.resolve())
  const held = db.transaction(async (tx) => {
    await narrowed.read(tx)
    isHeld.resolve()
    await isOver.promise
  })
  const ended = Promise.allSettled([held])
  await isHeld.promise
  return { ...narrowed, db, letGo: isOver.resolve, ended }
}

onServer('the open connections serve all requests when the server grants no more', async () => {
  const { read, grant } = await narrow()
  grant(3)
  const served = await Promise.all(Array.from({ length: 40 }, () => read()))
  expect(served).toEqual(served.map(() => true))
})

onServer('a refused connection is requested again while a request waits', async () => {
  const { read, grant, isRefused } = await inUse()
  const waiting = read()
  await isRefused()
  grant(1)
  expect(await waiting).toBe(true)
})

onServer('all waiting requests fail once the last connection is lost', async () => {
  const { read, isRefused, lose } = await inUse()
  const waiting = Promise.allSettled([read(), read(), read()])
  await isRefused()
  lose()
  const reason = expect.objectContaining({ message: expect.stringContaining('cannot be reached') })
  expect(await waiting).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason })))
})

onServer('a request that waits when the database is closed is still served', async () => {
  const { db, read, isRefused, letGo, ended } = await inUse()
  const waiting = read()
  await isRefused()
  const closing = db.close()
  letGo()
  expect([await waiting, await ended]).toMatchObject([true, [{ status: 'fulfilled' }]])
  await closing
})

onServer(
  'a request that waits in vain says why no connection could be opened, and the next is served',
  async () => {
    const { read, letGo } = await inUse({ wait: 1000 })
    const waiting = read()
    await expect(waiting).rejects.toThrow(DatabaseBusy)
    await expect(waiting).rejects.toThrow(
      /^No connection to the database came free in time, and no other could be opened: The database server .* cannot be reached /,
    )
    letGo()
    expect(await read()).toBe(true)
  },
)
