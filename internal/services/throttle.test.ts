import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allThrottles, dropThrottles } from '../testing/database/rows.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { clear, nextTry, take, takeRate, throttles, type ThrottleName } from './throttle.ts'

/** Returns the waits of so many tries in sequence. */
async function waitsOf(app: TestApp, tries: number, by = 'ann'): Promise<(number | undefined)[]> {
  const waits: (number | undefined)[] = []
  while (waits.length < tries) waits.push(await take(app, 'logins', by))
  return waits
}

const none = undefined

const names = Object.keys(throttles) as ThrottleName[]

test('a window allows as many tries as its limit, and tells any others the seconds to wait', async () => {
  const app = await testApp()
  const waits = await waitsOf(app, 7)
  expect(waits).toEqual([none, none, none, none, none, 60, 60])
})

test('tries sent at once cannot exceed the limit', async () => {
  const app = await testApp()
  const waits = await Promise.all(Array.from({ length: 20 }, () => take(app, 'logins', 'ann')))
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(5)
})

// A database's statement may cap its count.
test('the throttle with the largest limit refuses the first try beyond it', async () => {
  const app = await testApp()
  const widest = names.reduce((a, b) => (throttles[a].limit < throttles[b].limit ? b : a))
  const { limit } = throttles[widest]
  const waits: (number | undefined)[] = []
  while (waits.length <= limit) waits.push(await take(app, widest, 'ann'))
  expect(waits.map((wait) => wait !== undefined).indexOf(true)).toBe(limit)
})

test('a window starts at the first try, and a refused try does not move its end', async () => {
  const app = await testApp()
  await take(app, 'logins', 'ann')
  await app.pass({ seconds: 30 })
  const within = await waitsOf(app, 5)
  await app.pass({ seconds: 29.5 })
  const last = await take(app, 'logins', 'ann')
  await app.pass({ seconds: 0.5 })
  const next = await waitsOf(app, 6)
  expect(within).toEqual([none, none, none, none, 30])
  expect(last).toBe(1)
  expect(next).toEqual([none, none, none, none, none, 60])
})

test('the time of the next allowed try can be asked for without counting a try', async () => {
  const app = await testApp()
  const later = (seconds: number) => new Date(app.now().getTime() + seconds * 1000)
  const first = await takeRate(app, 'mails', 'ann')
  expect([first.wait, first.next]).toEqual([none, later(60)])
  await app.pass({ seconds: 20 })
  expect(await nextTry(app, 'mails', 'ann')).toEqual(later(40))
  expect(await nextTry(app, 'mails', 'ann')).toEqual(later(40))
  expect(await nextTry(app, 'mails', 'bob')).toEqual(app.now())
  await app.pass({ seconds: 40 })
  expect(await nextTry(app, 'mails', 'ann')).toEqual(app.now())
  expect(await take(app, 'mails', 'ann')).toBe(none)
})

test('a window with tries left allows the next try at once', async () => {
  const app = await testApp()
  const rates = [await takeRate(app, 'logins', 'ann'), await takeRate(app, 'logins', 'ann')]
  expect(rates.map(({ next }) => next)).toEqual([app.now(), app.now()])
  expect(await nextTry(app, 'logins', 'ann')).toEqual(app.now())
})

test('after the clock was set back the next try is at most one window away', async () => {
  const app = await testApp()
  await take(app, 'mails', 'ann')
  await app.pass({ days: -1 })
  const next = await nextTry(app, 'mails', 'ann')
  expect(next.getTime() - app.now().getTime()).toBe(60_000)
})

test('the wait after the clock was set back counts down, and a try at its end is allowed', async () => {
  const app = await testApp()
  await take(app, 'mails', 'ann')
  await app.pass({ days: -1 })
  const next = await nextTry(app, 'mails', 'ann')
  await app.pass({ seconds: 20 })
  const nextLater = await nextTry(app, 'mails', 'ann')
  await app.pass({ seconds: 40 })
  expect([nextLater, await take(app, 'mails', 'ann')]).toEqual([next, none])
})

test('tries are counted separately for each throttle and each person', async () => {
  const app = await testApp()
  await Promise.all(Array.from({ length: 6 }, () => take(app, 'registrations', 'ann')))
  const own = await waitsOf(app, 6)
  expect(own).toEqual([none, none, none, none, none, 60])
  expect(await take(app, 'logins', 'bob')).toBe(none)
})

test('clearing the tries of one person forgets them, and no others', async () => {
  const app = await testApp()
  await waitsOf(app, 5)
  await waitsOf(app, 5, 'bob')
  await app.db.transaction((tx) => clear(tx, 'logins', 'ann'))
  expect([await take(app, 'logins', 'ann'), await take(app, 'logins', 'bob')]).toEqual([none, 60])
})

test('a row stores a hash, the tries and the end of the window, but no email or address', async () => {
  const app = await testApp()
  await waitsOf(app, 2, 'ann@x.test\n192.0.2.1')
  const endsAt = new Date(app.now().getTime() + 60_000)
  const rows = await allThrottles(app.db)
  const key = createHash('sha256').update('logins\nann@x.test\n192.0.2.1').digest()
  expect(rows).toEqual([{ key, tries: 2, endsAt }])
})

test('a row whose window is over starts again at the next try', async () => {
  const app = await testApp()
  await waitsOf(app, 9)
  await app.pass({ minutes: 1 })
  await take(app, 'logins', 'ann')
  const endsAt = new Date(app.now().getTime() + 60_000)
  expect(await allThrottles(app.db)).toMatchObject([{ tries: 1, endsAt }])
})

test('a clock that was set back locks nobody out for longer than a window', async () => {
  const app = await testApp()
  await waitsOf(app, 6)
  await app.pass({ days: -1 })
  const turned = await take(app, 'logins', 'ann')
  await app.pass({ minutes: 1 })
  expect([turned, await take(app, 'logins', 'ann')]).toEqual([60, none])
})

/** How the README says how long a window is. */
const windows: Readonly<Record<number, string>> = {
  60: 'a minute',
  [60 * 60]: 'an hour',
  [24 * 60 * 60]: 'a day',
}

/** Returns a limit as README.md writes it. */
function limitOf({ limit, seconds }: { limit: number; seconds: number }): string {
  return `${limit} ${windows[seconds] ?? `in ${seconds} seconds`}`
}

test('the README’s table lists exactly the throttles that exist, each with its limit', () => {
  const readme = readFileSync('README.md', 'utf8')
  const table = /^\| Throttle \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(readme)?.[1] ?? ''
  const rows = [...table.matchAll(/^\| `([a-z-]+)` \| .+ \| .+ \| (.+) \|$/gm)]
  expect(Object.fromEntries(rows.map(([, name, limit]) => [name, limit]))).toEqual(
    Object.fromEntries(Object.entries(throttles).map(([name, row]) => [name, limitOf(row)])),
  )
})

test('a try that cannot be counted is an error', async () => {
  const app = await testApp()
  await dropThrottles(app.db)
  await expect(take(app, 'logins', 'ann')).rejects.toThrow('throttles')
})
