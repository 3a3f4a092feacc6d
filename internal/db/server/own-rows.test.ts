import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { cache } from '#db/cache'
import { openDatabase } from '#db/driver'
import { later, noon, temporaryDatabase } from '../../testing/database/database.ts'

// In an embedded database transactions run one after the other.
const onServer = test.runIf(addresses.setting === 'DB_URL')

onServer(
  'the cache entries of one user can be deleted while those of another are written',
  async () => {
    const { db, address } = await temporaryDatabase()
    const other = await openDatabase(address)
    onTestFinished(() => other.close())
    const entry = { value: '{"userId":1}', endsAt: later(1000) }
    await cache.put(db, { ...entry, key: 'login a' })
    await cache.put(db, { ...entry, key: 'login c', endsAt: noon })
    const deleted = await other.transaction(async (tx) => {
      await cache.put(tx, { ...entry, key: 'login b', value: '{"userId":2}' })
      const ofUser = { start: 'login ', userId: 1, now: noon }
      return db.transaction((own) => cache.deleteOfUser(own, ofUser))
    })
    expect(deleted).toBe(1)
    const rows = { start: 'login ', now: new Date(noon.getTime() - 1) }
    expect(await cache.countOfUser(db, { ...rows, userId: 1 })).toBe(0)
    expect(await cache.countOfUser(db, { ...rows, userId: 2 })).toBe(1)
  },
)
