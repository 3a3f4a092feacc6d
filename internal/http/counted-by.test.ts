import { expect, test } from 'vitest'
import { notify } from '../domain/notifications/notify.ts'
import { ann, bob, logIn, registeredBrowser } from '../testing/people.ts'
import { allJobs, allUsers, dropThrottles } from '../testing/database/rows.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../testing/two-factor.ts'

test('notices to an unverified email are counted by that email: those to another email are still sent', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await registeredBrowser(app, bob)
  const [first, second] = await allUsers(app.db)
  if (!first || !second) throw new Error('Somebody was not registered.')
  const tell = (user: typeof first) =>
    app.db.transaction((tx) => notify(app, tx, user, { kind: 'password-removed', data: {} }))
  for (let n = 0; n < 11; n++) {
    await tell(first)
    await app.pass({ minutes: 1 })
  }
  await tell(first)
  const before = await noticesOf(app)
  await tell(second)
  expect([before, await noticesOf(app)]).toEqual([10, 11])
})

test('verification links are counted by user: two users can each request one within a minute', async () => {
  const app = await testApp()
  const [anns, bobs] = [await registeredBrowser(app, ann), await registeredBrowser(app, bob)]
  const visits = [await anns.post('/verify-email'), await bobs.post('/verify-email')]
  expect(visits.map(({ errors }) => errors)).toEqual([{}, {}])
})

test('wrong codes and recovery codes are counted by user: a hundred for one user do not lock out another', async () => {
  const app = await testApp()
  const anns = await turnOn(app, await verifiedBrowser(app, ann))
  const bobs = await turnOn(app, await verifiedBrowser(app, bob))
  const guesser = app.browser()
  await logIn(guesser, ann)
  for (let n = 0; n < 100; n++) {
    const wrong: Record<string, string> =
      n % 2 ? { code: anns.wrong() } : { recovery_code: 'aaaaa-aaaaa' }
    await guesser.post('/two-factor-challenge', wrong, { stay: true })
    if (n % 5 === 4) await app.pass({ minutes: 1 })
    if (n % 25 === 24) await logIn(guesser, ann)
  }
  await app.pass({ minutes: 1 })
  await logIn(guesser, ann)
  const recovery = { recovery_code: anns.codes[0] ?? '' }
  const right = await guesser.post('/two-factor-challenge', recovery)
  const other = app.browser()
  await logIn(other, bob)
  const entered = await other.post('/two-factor-challenge', { code: bobs.code() })
  expect([right.user, entered.user?.name]).toEqual([null, 'Bob'])
})

test('a request whose throttle cannot be counted gets a 500, and no mail is queued', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const before = (await allJobs(app.db)).length
  await dropThrottles(app.db)
  const visits = [
    await app.browser().post('/forgot-password', { email: ann.email }),
    await app.browser().post('/register/passkey', { name: 'Bob', email: bob.email }),
    await browser.post('/verify-email'),
    await browser.post('/confirm-password', { password: 'a wrong word' }),
  ]
  expect(visits.map(({ status }) => status)).toEqual([500, 500, 500, 500])
  expect(await allJobs(app.db)).toHaveLength(before)
})

async function noticesOf(app: TestApp): Promise<number> {
  return (await allJobs(app.db)).filter(({ name }) => name === 'notification-mail').length
}
