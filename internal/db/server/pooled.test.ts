import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { cache } from '#db/cache'
import { openDatabase } from '#db/driver'
import { later, noon, temporaryDatabase } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'

// An embedded database has no pooler.
const onServer = test.runIf(addresses.setting === 'DB_URL')

onServer('behind a pooler the cache entries of a user can be counted and deleted', async () => {
  const { address } = await temporaryDatabase()
  const url = new URL(urlOf(address))
  url.searchParams.set('prepare', 'false')
  const db = await openDatabase({ url: url.href })
  onTestFinished(() => db.close())
  await cache.put(db, { key: 'login a', value: '{"userId":1}', endsAt: later(1000) })
  const ofUser = { start: 'login ', userId: 1, now: noon }
  expect(await cache.countOfUser(db, ofUser)).toBe(1)
  expect(await db.transaction((tx) => cache.deleteOfUser(tx, ofUser))).toBe(1)
  expect(await cache.countOfUser(db, ofUser)).toBe(0)
})
