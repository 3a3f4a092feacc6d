import { expect, test } from 'vitest'
import { throttles } from '#db/throttles'
import { keyOf } from '../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'

const minute = 60_000
const key = keyOf('logins of ann')

async function taking() {
  const { db } = await temporaryDatabase()
  const take = (at: number) =>
    throttles.take(db, { key, now: later(at), endsAt: later(at + minute) })
  return { db, take }
}

test('twenty simultaneous tries are counted as twenty', async () => {
  const { take } = await taking()
  const tries = await Promise.all(Array.from({ length: 20 }, () => take(0)))
  expect(tries.map((taken) => taken.tries).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
})

test('a try in a running window is counted and does not move the window’s end', async () => {
  const { take } = await taking()
  expect(await take(0)).toEqual({ tries: 1, endsAt: later(minute) })
  expect(await take(minute - 1)).toEqual({ tries: 2, endsAt: later(minute) })
})

test('looking up a window returns its count and end, and counts nothing', async () => {
  const { db, take } = await taking()
  expect(await throttles.find(db, key)).toBe(undefined)
  await take(0)
  await take(1)
  expect(await throttles.find(db, key)).toEqual({ tries: 2, endsAt: later(minute) })
  expect(await throttles.find(db, key)).toEqual({ tries: 2, endsAt: later(minute) })
})

test('a try after the end of a window starts a new window at one', async () => {
  const { take } = await taking()
  await take(0)
  await take(0)
  expect(await take(minute)).toEqual({ tries: 1, endsAt: later(2 * minute) })
})

test('a clock set back by a day keeps the count, and the window ends a minute later by that clock', async () => {
  const { take } = await taking()
  await take(0)
  const dayBefore = -24 * 60 * minute
  expect(await take(dayBefore)).toEqual({ tries: 2, endsAt: later(dayBefore + minute) })
})

test('each key has its own count, and clearing one leaves the others', async () => {
  const { db, take } = await taking()
  const other = { key: keyOf('logins of bob'), now: noon, endsAt: later(minute) }
  await take(0)
  expect((await throttles.take(db, other)).tries).toBe(1)
  await throttles.clear(db, key)
  expect((await take(0)).tries).toBe(1)
  expect((await throttles.take(db, other)).tries).toBe(2)
})
