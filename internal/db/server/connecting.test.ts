import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { users } from '#db/users'
import { addUser } from '../../testing/database/user-rows.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'

const isServer = addresses.setting === 'DB_URL'

test.runIf(isServer)(
  'each statement of a transaction reads what others have committed by then',
  async () => {
    const { db, address } = await temporaryDatabase()
    const other = await openDatabase(address)
    onTestFinished(() => other.close())
    const { id } = await addUser(db)
    const photos = await db.transaction(async (tx) => {
      const before = await users.byId(tx, id)
      await other.transaction((another) => users.setPhoto(another, { id, photo: 'new' }))
      const after = await users.byId(tx, id)
      return [before?.photo, after?.photo]
    })
    expect(photos).toEqual([null, 'new'])
  },
)

test.runIf(isServer)('connecting gives up after connect_timeout, which is in seconds', async () => {
  const { address } = await temporaryDatabase()
  const silent = createServer((socket) => void socket.on('error', () => {}))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const url = new URL(urlOf(address))
  url.port = String((silent.address() as AddressInfo).port)
  url.searchParams.set('connect_timeout', '1')
  const began = performance.now()
  await expect(openDatabase({ url: url.href })).rejects.toThrow(/ cannot be reached /)
  // Seconds, not milliseconds.
  expect(performance.now() - began).toBeGreaterThan(900)
})
