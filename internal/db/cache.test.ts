import { expect, test } from 'vitest'
import { cache } from '#db/cache'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'
import { entryKeys } from '../testing/database/ended-rows.ts'

const entry = { key: 'a key', value: 'a value', endsAt: later(1000) }

test('exactly one of twenty simultaneous takes of a cache entry gets its value', async () => {
  const { db } = await temporaryDatabase()
  await cache.put(db, entry)
  const tries = Array.from({ length: 20 }, () => cache.take(db, { key: 'a key', now: noon }))
  const taken = (await Promise.all(tries)).filter((value) => value !== undefined)
  expect(taken).toEqual(['a value'])
  expect(await entryKeys(db)).toEqual([])
})

test('a cache entry can be read again and again until it expires', async () => {
  const { db } = await temporaryDatabase()
  await cache.put(db, entry)
  const read = (milliseconds: number) => cache.get(db, { key: 'a key', now: later(milliseconds) })
  expect([await read(0), await read(999), await read(1000)]).toEqual([
    'a value',
    'a value',
    undefined,
  ])
  expect(await cache.get(db, { key: 'another key', now: noon })).toBeUndefined()
  expect(await cache.take(db, { key: 'a key', now: noon })).toBe('a value')
})

test('an expired cache entry is not taken, and remains to be pruned', async () => {
  const { db } = await temporaryDatabase()
  await cache.put(db, entry)
  expect(await cache.take(db, { key: 'a key', now: later(1000) })).toBeUndefined()
  expect(await cache.prune(db, { now: later(1000), most: 10 })).toBe(1)
})

test('a cache entry without an expiry can be taken at any time, and other entries stay', async () => {
  const { db } = await temporaryDatabase()
  await cache.put(db, entry)
  const kept = { key: 'for ever', value: '5', unless: { from: '8', to: '9' } }
  await db.transaction((tx) => cache.replace(tx, kept))
  expect(await cache.take(db, { key: 'for ever', now: later(1_000_000) })).toBe('5')
  expect(await cache.take(db, { key: 'a key', now: later(999) })).toBe('a value')
})

test('a cache entry taken in a transaction that is rolled back is still there', async () => {
  const { db } = await temporaryDatabase()
  await cache.put(db, entry)
  const failing = db.transaction(async (tx) => {
    await cache.take(tx, { key: 'a key', now: noon })
    throw new Error('too bad')
  })
  await expect(failing).rejects.toThrow('too bad')
  expect(await cache.take(db, { key: 'a key', now: noon })).toBe('a value')
})

test('an entry that expires after the latest expiry a query allows is not found, one without an expiry is', async () => {
  const { db } = await temporaryDatabase()
  await cache.put(db, { key: 'a key', value: 'a value', endsAt: later(2000) })
  const ask = { key: 'a key', now: noon }
  expect(await cache.get(db, { ...ask, latest: later(1999) })).toBeUndefined()
  expect(await cache.take(db, { ...ask, latest: later(1999) })).toBeUndefined()
  expect(await cache.get(db, { ...ask, latest: later(2000) })).toBe('a value')
  const kept = { key: 'for ever', value: '5', unless: { from: '8', to: '9' } }
  await db.transaction((tx) => cache.replace(tx, kept))
  const askKept = { key: 'for ever', now: noon, latest: noon }
  expect([await cache.get(db, askKept), await cache.take(db, askKept)]).toEqual(['5', '5'])
})

test('the cache entries of one user are counted and deleted, and those of others stay', async () => {
  const { db } = await temporaryDatabase()
  for (const [at, userId] of [1, 1, 2].entries())
    await cache.put(db, { ...entry, key: `login ${at}`, value: JSON.stringify({ userId }) })
  const ofUser = { start: 'login ', userId: 1, now: noon }
  expect(await cache.countOfUser(db, ofUser)).toBe(2)
  expect(await db.transaction((tx) => cache.deleteOfUser(tx, ofUser))).toBe(2)
  expect(await entryKeys(db)).toEqual(['login 2'])
})
