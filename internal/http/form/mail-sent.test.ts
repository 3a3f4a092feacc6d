import { brandName } from '../../../web/brand/brand.ts'
import { expect, test } from 'vitest'
import { tryAgainIn } from '#words/errors'
import { flashWords } from '#words/flash'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../testing/people.ts'
import { allJobs } from '../../testing/database/rows.ts'
import { sessionOf } from '../../testing/session-of.ts'
import { testApp } from '../../testing/test-app.ts'
import type { Browser, Visit } from '../../testing/browser.ts'

const sender = { address: 'accounts@x.test', name: 'Accounts' }
const registrant = { name: 'Ann', email: ann.email }

function forgot(browser: Browser, email: string): Promise<Visit> {
  return browser.post('/forgot-password', { email })
}

/** Returns what the page says of a mail on its way. */
function sentOn({ page }: Visit) {
  return page.props['sent'] as { seconds: number } | null | undefined
}

/** Returns the document without nonces and email: the rest is the same for everybody. */
function drawnOn({ body, page }: Visit): string {
  const { email } = sentOn({ page } as Visit) as unknown as { email: string }
  return body.replaceAll(/nonce="[^"]*"/g, '').replaceAll(email, '')
}

test('after a reset request the page names the mail on its way, and the address as it was typed', async () => {
  const app = await testApp({ config: { sender } })
  const before = await app.browser().get('/forgot-password')
  const visit = await forgot(app.browser(), 'Ann@X.test')
  expect(sentOn(before)).toBe(undefined)
  expect(visit.flash).toEqual({ success: flashWords.resetSent })
  expect(sentOn(visit)).toEqual({
    email: 'Ann@X.test',
    fields: { email: 'Ann@X.test' },
    subjects: [`Reset your password for ${brandName}`, `Set a password for ${brandName}`],
    from: sender,
    seconds: 60,
    until: '2026-01-05T10:01:00.000Z',
  })
})

test('the page after a reset request is the same to the byte whether or not the email has an account', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const visitsOf = async (email: string) => {
    const browser = app.browser()
    const first = await browser.document('/forgot-password', { email })
    const again = await browser.document('/forgot-password', { email })
    return [first, again, await forgot(browser, email), await browser.get('/forgot-password')]
  }
  const [known, unknown] = [await visitsOf(ann.email), await visitsOf(bob.email)]
  expect(unknown.map(drawnOn)).toEqual(known.map(drawnOn))
  expect(unknown.map(({ headers }) => headers['content-length'])).toEqual(
    known.map(({ headers }) => headers['content-length']),
  )
})

test('the page after a reset request, loaded again, shows the remaining wait, and then the form', async () => {
  const app = await testApp()
  const browser = app.browser()
  await forgot(browser, ann.email)
  await app.pass({ seconds: 18 })
  const within = await browser.document('/forgot-password')
  await app.pass({ seconds: 42 })
  const after = await browser.document('/forgot-password')
  expect(sentOn(within)?.seconds).toBe(42)
  expect(within.flash).toEqual({})
  expect(sentOn(after)).toBe(undefined)
})

test('the wait for another reset link is counted by email, in any browser, with or without an account', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const [known, unknown] = [ann.email, bob.email]
  await forgot(app.browser(), known)
  await forgot(app.browser(), unknown)
  await app.pass({ seconds: 25 })
  const early = [await forgot(app.browser(), known), await forgot(app.browser(), unknown)]
  expect(early.map((visit) => [visit.flash, sentOn(visit)?.seconds])).toEqual([
    [{ success: flashWords.resetSent }, 35],
    [{ success: flashWords.resetSent }, 35],
  ])
  expect(await allJobs(app.db)).toHaveLength(3)
})

test('a reset request just before the wait ends still shows that the mail is on its way', async () => {
  const app = await testApp()
  await forgot(app.browser(), ann.email)
  await app.pass({ seconds: 59.5 })
  const browser = app.browser()
  await forgot(browser, ann.email)
  await app.pass({ seconds: 0.5 })
  expect(sentOn(await browser.get('/forgot-password'))).toMatchObject({ seconds: 0 })
})

test('a client address that made five reset requests waits for its own window where that ends later', async () => {
  const app = await testApp(behindProxy)
  const ask = (name: string, address = '192.0.2.7') =>
    app.browser().post('/forgot-password', { email: `${name}@x.test` }, from(address))
  await ask('z', '192.0.2.8')
  await app.pass({ seconds: 10 })
  await ask('a')
  await app.pass({ seconds: 20 })
  const waits: (number | undefined)[] = []
  // At the fifth, the email's window ends before the address's.
  for (const name of ['b', 'z', 'c', 'z', 'd', 'a']) waits.push(sentOn(await ask(name))?.seconds)
  expect(waits).toEqual([60, 30, 60, 40, 40, 40])
})

test('the link for another address leads to the form, filled in with what was typed, after minutes too', async () => {
  const app = await testApp()
  const browser = app.browser()
  await forgot(browser, ann.email)
  await browser.post('/register/passkey', registrant)
  await app.pass({ minutes: 5 })
  const register = await browser.get('/register?another')
  await forgot(browser, ann.email)
  const back = await browser.get('/forgot-password?another')
  expect([back, register].map(({ page }) => [page.props['sent'], page.props['typed']])).toEqual([
    [undefined, { email: ann.email }],
    [undefined, registrant],
  ])
})

test('an invalid email is reported on the form that it was typed into', async () => {
  const app = await testApp()
  const browser = app.browser()
  await forgot(browser, ann.email)
  await browser.get('/forgot-password?another')
  const visit = await forgot(browser, 'no email')
  expect([visit.url, sentOn(visit), Object.keys(visit.errors)]).toEqual([
    '/forgot-password?another',
    undefined,
    ['email'],
  ])
})

test('a request for a passkey registration link shows its mail, and can be repeated after the wait', async () => {
  const app = await testApp({ config: { sender } })
  const browser = app.browser()
  const visit = await browser.post('/register/passkey', registrant)
  expect(visit.flash).toEqual({ success: flashWords.registrationSent })
  expect(sentOn(visit)).toEqual({
    email: ann.email,
    fields: registrant,
    subjects: [`Finish making your ${brandName} account`],
    from: sender,
    seconds: 60,
    until: '2026-01-05T10:01:00.000Z',
  })
  await app.pass({ seconds: 30 })
  const early = await browser.document('/register/passkey', registrant)
  await app.pass({ seconds: 30 })
  const again = await browser.document('/register/passkey', registrant)
  expect([early, again].map((page) => sentOn(page)?.seconds)).toEqual([30, 60])
  expect(await allJobs(app.db)).toHaveLength(2)
})

test('repeating the request for a passkey registration link reports an email that has an account by now', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.post('/register/passkey', registrant)
  await registeredBrowser(app, ann)
  const visit = await browser.post('/register/passkey', registrant)
  expect([visit.url, sentOn(visit), Object.keys(visit.errors)]).toMatchObject([
    '/register',
    { email: ann.email },
    ['email'],
  ])
})

test('the mail on its way is known only to its own form and browser, and a login forgets it', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await forgot(browser, ann.email)
  const others = [await browser.get('/register'), await app.browser().get('/forgot-password')]
  await logIn(browser, ann)
  expect(others.map(sentOn)).toEqual([undefined, undefined])
  expect(sessionOf(app, browser)).not.toHaveProperty('mailAsked')
})

test('the page that asks to verify the email shows the mail, and the wait of the user’s throttle', async () => {
  const app = await testApp({ config: { sender } })
  const browser = await registeredBrowser(app, ann)
  const first = await browser.get('/verify-email')
  await browser.post('/verify-email')
  await app.pass({ seconds: 20 })
  const within = await browser.get('/verify-email')
  const early = await browser.post('/verify-email')
  await app.pass({ seconds: 40 })
  const after = await browser.get('/verify-email')
  expect(sentOn(first)).toEqual({
    email: ann.email,
    fields: {},
    subjects: [`Verify your email for ${brandName}`],
    from: sender,
    seconds: 0,
    until: '2026-01-05T10:00:00.000Z',
  })
  expect([within, early, after].map((page) => sentOn(page)?.seconds)).toEqual([40, 40, 0])
  expect(early.errors).toEqual({ email: tryAgainIn(40) })
})

test('a session stored in the database remembers the mail on its way', async () => {
  const app = await testApp({ config: { sessionStore: 'database' } })
  const browser = app.browser()
  await forgot(browser, ann.email)
  await app.pass({ seconds: 10 })
  expect(sentOn(await browser.get('/forgot-password'))?.seconds).toBe(50)
})

test('the page of a mail on its way names no sender when none is configured', async () => {
  const app = await testApp()
  expect(sentOn(await forgot(app.browser(), ann.email))).toMatchObject({ from: null })
})
