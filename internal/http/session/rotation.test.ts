import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { sealAgain } from '../../domain/two-factor/seal-again.ts'
import { linkIn } from '../../testing/mails.ts'
import { ann, bob, logIn, registeredBrowser, type Person } from '../../testing/people.ts'
import { chosen, png } from '../../testing/formats/photos.ts'
import { allSessions, allowSessions, refuseSessions } from '#testing/rows'
import { copyOf } from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { codeAt } from '../../testing/totp.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import type { Config } from '../../base/settings/config.ts'
import type { Browser } from '../../testing/browser.ts'

type Keys = Config['keys']

const [older, newer] = [randomBytes(32), randomBytes(32)]
const carl: Person = { name: 'Carl', email: 'carl@x.test', password: 'staple horse' }
const security = '/settings/security'
const codesOnly = {
  'X-Page-Partial-Component': 'Settings/Security',
  'X-Page-Partial-Data': 'recoveryCodes',
}

/** Restarts the service with these keys, and seals again all that a start does. */
async function startedWith(keys: Keys, { config }: TestApp): Promise<TestApp> {
  const app = await testApp({ config: { ...config, keys } })
  await sealAgain(app, new AbortController().signal)
  return app
}

/** Returns an app with one key, and all that it has sealed and signed. */
async function withEverything(sessionStore: Config['sessionStore']) {
  const app = await testApp({ workers: true, config: { keys: [older], sessionStore } })
  const browser = await verifiedBrowser(app)
  const verification = linkIn(await app.outbox.nextTo(ann.email))
  const visit = await browser.upload('/settings/profile/photo', chosen(png()))
  const factor = await turnOn(app, browser)
  const resets = [await resetOf(app, bob), await resetOf(app, carl)] as const
  await app.browser().post('/register/passkey', { name: 'Dora', email: 'dora@x.test' })
  const registration = linkIn(await app.outbox.nextTo('dora@x.test'))
  const links = { verification, registration, photo: visit.user?.photo ?? '' }
  return { app, browser, factor, links, resets }
}

/** Requests a reset, and returns the fields of the form that the mailed link opens. */
async function resetOf(app: TestApp, person: Person) {
  await registeredBrowser(app, person)
  await app.outbox.nextTo(person.email)
  await app.browser().post('/forgot-password', { email: person.email })
  const link = linkIn(await app.outbox.nextTo(person.email))
  const [, token = ''] = /^\/reset-password\/([^?]+)/.exec(link) ?? []
  const password = 'another word'
  return { token, email: person.email, password, password_confirmation: password }
}

type Everything = Awaited<ReturnType<typeof withEverything>>

/** Returns what an app does with the links. */
async function linksAt(app: TestApp, { links }: Everything, reset: Everything['resets'][0]) {
  const photo = await app.browser().get(links.photo)
  const verification = await app.browser().get(links.verification)
  const registration = await app.browser().get(links.registration)
  const set = await app.browser().post('/reset-password', reset)
  return {
    photo: photo.status,
    verification: verification.flash,
    registration: registration.component,
    reset: set.errors,
  }
}

const good = {
  photo: 200,
  verification: { success: flashWords.verified },
  registration: 'Auth/RegisterPasskey',
  reset: {},
}
const over = {
  photo: 404,
  verification: { error: flashWords.linkExpiredLogIn },
  registration: 'Auth/Register',
  reset: { email: errorWords.linkInvalid },
}

/** Returns who is logged in, and the recovery codes shown. */
async function sessionOf(browser: Browser) {
  const visit = await browser.get(security, { headers: codesOnly })
  return [visit.user?.name, visit.page.props['recoveryCodes']]
}

/** Changes the key as README.md describes: the old one is kept for a while, and then dropped. */
async function rotate(sessionStore: Config['sessionStore']) {
  const made = await withEverything(sessionStore)
  const rotating = await startedWith([newer, older], made.app)
  const browser = copyOf(rotating, made.browser)
  const during = {
    session: await sessionOf(browser),
    links: await linksAt(rotating, made, made.resets[0]),
  }
  // Background writes are in the database after this.
  await rotating.awaitWrites()
  const dropped = await startedWith([newer], made.app)
  const after = {
    session: await sessionOf(copyOf(dropped, browser)),
    links: await linksAt(dropped, made, made.resets[1]),
  }
  const unused = await copyOf(dropped, made.browser).get('/')
  const anew = await logInAnew(dropped, made)
  return { codes: made.factor.codes, during, after, unused: unused.user, anew: anew.user?.name }
}

/** Returns what `rotate` does if nothing was lost that was used while both keys were configured. */
function nothingLost(codes: readonly string[]) {
  const session = ['Ann', codes]
  return {
    during: { session, links: good },
    after: { session, links: over },
    unused: null,
    anew: 'Ann',
  }
}

/** Logs in again with a code of the authenticator app. */
async function logInAnew(app: TestApp, { factor }: Everything) {
  const browser = app.browser()
  await logIn(browser, ann)
  await app.pass({ minutes: 2 })
  return browser.post('/two-factor-challenge', { code: codeAt(factor.secret, app.now()) })
}

test('with sessions in cookies, a new key loses nothing that was used while both keys were set', async () => {
  const { codes, ...outcome } = await rotate('cookie')
  expect(outcome).toEqual(nothingLost(codes))
})

test('with sessions in the table, a new key loses nothing that was used while both keys were set', async () => {
  const { codes, ...outcome } = await rotate('database')
  expect(outcome).toEqual(nothingLost(codes))
})

test('a server that has the new key among its previous ones opens what a server seals with it', async () => {
  const made = await withEverything('cookie')
  const waiting = await startedWith([older, newer], made.app)
  const changed = await startedWith([newer, older], made.app)
  const browser = copyOf(changed, made.browser)
  await browser.get('/')
  const session = await sessionOf(copyOf(waiting, browser))
  const links = await linksAt(waiting, made, made.resets[0])
  const anew = await logInAnew(waiting, made)
  expect([session, links, anew.user?.name]).toEqual([['Ann', made.factor.codes], good, 'Ann'])
})

test('with a session in the table, the ID and the row are each sealed again when they are used', async () => {
  const first = await testApp({ config: { keys: [older], sessionStore: 'database' } })
  const browser = await registeredBrowser(first, ann)
  const app = await testApp({ config: { ...first.config, keys: [newer, older] } })
  const isStale = async () => {
    const [row] = await allSessions(app.db)
    const context = row?.key.toString('hex') ?? ''
    return app.keys.open('session', context, row?.payload ?? '')?.stale
  }
  const [visitor, tab] = [copyOf(app, browser), copyOf(app, browser)]
  await refuseSessions(app.db)
  const kept = await visitor.get('/')
  await app.awaitWrites()
  await allowSessions(app.db)
  const before = await isStale()
  await visitor.get('/')
  await app.awaitWrites()
  const after = await isStale()
  const [again, other] = [await visitor.get('/'), await tab.get('/')]
  expect([kept.user?.name, before, after]).toEqual(['Ann', true, false])
  expect([again, other].map(({ headers }) => headers['set-cookie']?.length)).toEqual([undefined, 1])
})

test('dropping a key at once ends sessions and links, and two-factor users see that codes are lost', async () => {
  const made = await withEverything('database')
  const app = await startedWith([newer], made.app)
  const old = copyOf(app, made.browser)
  const links = await linksAt(app, made, made.resets[0])
  const before = await old.get('/')
  const home = await logIn(old, bob)
  const byCode = await logInAnew(app, made)
  const browser = app.browser()
  await logIn(browser, ann)
  const recovery = { recovery_code: made.factor.codes[0] ?? '' }
  const byRecovery = await browser.post('/two-factor-challenge', recovery)
  expect(links).toEqual(over)
  expect([before.user, home.user?.name]).toEqual([null, 'Bob'])
  expect(byCode.errors).toEqual({ code: errorWords.codesLost })
  expect(byRecovery.errors).toEqual({ recovery_code: errorWords.codesLost })
})
