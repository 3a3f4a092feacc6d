import { brandName } from '../../../../web/brand/brand.ts'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorWords, tryAgainIn } from '#words/errors'
import {
  addNewPasskey,
  allPasskeys,
  requestPasskeyOptions,
  newAuthenticator,
  countChallenges,
  isBrowserLoggedIn,
  requestLoginOptions,
  logInPasskey,
  times,
  refusalOf,
} from '../../../testing/passkeys.ts'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  allBrowsers,
  allJobs,
  allLogins,
  allNotifications,
  dropThrottles,
  turnOnTwoFactor,
  verifyEmails,
} from '../../../testing/database/rows.ts'
import { copyOf } from '../../../testing/sessions.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type { Browser } from '../../../testing/browser.ts'
import type { Authenticator, Wrong } from '../../../testing/authenticator.ts'

const { passkeyEarly, passkeyRefused, passkeyOver, passkeyUnknown, passkeysAbsent } = errorWords
const refused = [422, passkeyRefused]
const over = [422, passkeyOver]

/** Ann, with a passkey beside her password. */
async function withPasskey(make: Parameters<typeof newAuthenticator>[0] = {}, options = {}) {
  const app = await testApp(options)
  const anns = await registeredBrowser(app, ann)
  const authenticator = newAuthenticator(make)
  await addNewPasskey(anns, authenticator)
  return { app, anns, authenticator }
}

async function lastPasskey(app: TestApp) {
  const passkey = (await allPasskeys(app.db)).at(-1)
  if (!passkey) throw new Error('There is no passkey.')
  return passkey
}

/** Returns the logged facts of failed logins. */
function failures(app: TestApp): object[] {
  const lines = app.logLines.filter(({ message }) => message === 'login failed')
  return lines.map(({ facts: { request: _id, ...facts } }) => facts)
}

test('the login options accept any passkey, require user verification and have a challenge of 32 random bytes', async () => {
  const app = await testApp()
  const browser = app.browser()
  const [first, second] = [await requestLoginOptions(browser), await requestLoginOptions(browser)]
  expect(first).toEqual({
    rpId: 'app.test',
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    allowCredentials: [],
    userVerification: 'required',
  })
  expect(first.challenge).not.toBe(second.challenge)
})

test.each(['cookie', 'database'] as const)(
  'a passkey response repeated with its press ID logs in only the browser it was created in: %s',
  async (sessionStore) => {
    const { app, authenticator } = await withPasskey({}, { config: { sessionStore } })
    const sent = { headers: { 'X-Page-Press': 'a press of a person'.replaceAll(' ', '+') } }
    /** Logs in a browser whose answer is lost, and returns whether the other is in that repeats its request. */
    const isInBy = async (browser: Browser, other: Browser) => {
      const credential = authenticator.get(await requestLoginOptions(browser))
      await copyOf(app, browser).postJson('/login/passkey', { credential }, sent)
      await other.postJson('/login/passkey', { credential }, sent)
      return isBrowserLoggedIn(other)
    }
    const [own, asked, guest, ended] = [app.browser(), app.browser(), app.browser(), app.browser()]
    await requestLoginOptions(asked)
    // A session with nothing but an error to show ends once that is shown.
    await ended.post('/forgot-password', {}, { stay: true })
    await copyOf(app, ended).get('/forgot-password')
    expect(await isInBy(own, own)).toBe(true)
    expect(await isInBy(app.browser(), asked)).toBe(false)
    expect(await isInBy(app.browser(), guest)).toBe(false)
    expect(await isInBy(app.browser(), ended)).toBe(false)
  },
)

test('passkeys with ES256, Ed25519 and RS256 keys log in', async () => {
  const { app, anns, authenticator } = await withPasskey({ algorithm: 'ES256' })
  const others = [
    newAuthenticator({ algorithm: 'Ed25519' }),
    newAuthenticator({ algorithm: 'RS256' }),
  ]
  for (const other of others) await addNewPasskey(anns, other)
  const visits = await Promise.all(
    [authenticator, ...others].map((each) => logInPasskey(app.browser(), each)),
  )
  expect(visits.map(({ status, json }) => [status, json])).toEqual(
    times(3, [200, { redirect: '/dashboard' }]),
  )
})

test('a passkey logs in the user it belongs to', async () => {
  const { app, authenticator } = await withPasskey()
  await addNewPasskey(await registeredBrowser(app, bob), newAuthenticator())
  const browser = app.browser()
  await logInPasskey(browser, authenticator)
  expect((await browser.get('/verify-email')).user?.email).toBe(ann.email)
})

test('a passkey login asks for no two-factor code and counts as a password confirmation', async () => {
  const { app, authenticator } = await withPasskey()
  await turnOnTwoFactor(app.db)
  const browser = app.browser()
  const visit = await logInPasskey(browser, authenticator)
  const settings = await browser.get('/settings/profile')
  expect([visit.json, settings.url]).toEqual([{ redirect: '/dashboard' }, '/settings/profile'])
})

test('a passkey login leads to the page that the guest wanted', async () => {
  const { app, authenticator } = await withPasskey()
  const browser = app.browser()
  await browser.get('/notifications?page=2')
  const visit = await logInPasskey(browser, authenticator)
  expect(visit.json).toEqual({ redirect: '/notifications?page=2' })
})

test('a passkey login lasts 30 days with remember, and otherwise two hours', async () => {
  const { app, authenticator } = await withPasskey()
  const entered = async (fields = {}) => {
    const browser = app.browser()
    await logInPasskey(browser, authenticator, { fields })
    return browser
  }
  // Each browser makes one visit, which restarts its login's span.
  const [short, shorter] = [await entered(), await entered()]
  const [long, longer] = [await entered({ remember: true }), await entered({ remember: 'on' })]
  const over = await entered({ remember: true })
  await app.pass({ hours: 1, minutes: 59, seconds: 59 })
  const within = await isBrowserLoggedIn(short)
  await app.pass({ seconds: 1 })
  const after = await isBrowserLoggedIn(shorter)
  await app.pass({ days: 29, hours: 21, minutes: 59, seconds: 59 })
  const month = [await isBrowserLoggedIn(long), await isBrowserLoggedIn(longer)]
  await app.pass({ seconds: 1 })
  expect([within, after]).toEqual([true, false])
  expect([...month, await isBrowserLoggedIn(over)]).toEqual([true, true, false])
})

test('a passkey login in a new browser is notified, and the next one in that browser is not', async () => {
  const { app, authenticator } = await withPasskey()
  // For an unverified email, at most one notice a minute is mailed.
  await app.pass({ minutes: 1 })
  const browser = app.browser()
  const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Firefox/127.0' }
  await logInPasskey(browser, authenticator, { headers })
  await browser.post('/logout')
  await logInPasskey(browser, authenticator, { headers })
  const kinds = (await allNotifications(app.db)).map(({ kind }) => kind)
  expect(kinds).toEqual(['passkey-added', 'new-login'])
  expect(await allBrowsers(app.db)).toHaveLength(2)
  expect((await allJobs(app.db)).at(-1)?.payload).toContain('Linux')
})

test('the mail about a passkey login says what to do about passkeys and does not mention a password', async () => {
  const { app, authenticator } = await withPasskey({}, { workers: true })
  await app.outbox.next()
  await app.outbox.next()
  // After both mails, since no link is mailed to an email that is verified already.
  await verifyEmails(app.db, app.now())
  await logInPasskey(app.browser(), authenticator)
  const { text } = await app.outbox.nextTo(ann.email)
  expect(text).toContain('If it was not you, somebody else has one of your passkeys.')
  expect(text).not.toMatch(/password/i)
})

test('a passkey login stores the time, the signature count and the backup state of the passkey', async () => {
  const { app, authenticator } = await withPasskey({ backupEligible: true })
  const before = await lastPasskey(app)
  await app.pass({ minutes: 1 })
  await logInPasskey(app.browser(), authenticator, { wrong: { backedUp: true } })
  const noted = { signCount: before.signCount + 1, backedUp: true, lastUsedAt: app.now() }
  expect(before).toMatchObject({ signCount: 1, backedUp: false, lastUsedAt: null })
  expect(await lastPasskey(app)).toEqual({ ...before, ...noted })
})

// oxfmt-ignore
const wrongs: readonly (readonly [why: string, wrong: Wrong])[] = [
  ['ceremony',     { type: 'webauthn.create' }],
  ['challenge',    { challenge: randomBytes(32).toString('base64url') }],
  ['malformed',    { challenge: '' }],
  ['malformed',    { clientData: 'no JSON' }],
  ['origin',       { origin: 'https://app.test' }],
  ['origin',       { origin: 'http://app.test.evil.test' }],
  ['cross-origin', { crossOrigin: true }],
  ['cross-origin', { topOrigin: 'http://evil.test' }],
  ['domain',       { rpId: 'evil.test' }],
  ['presence',     { present: false }],
  ['verification', { verified: false }],
  ['backup',       { backedUp: true }],
  ['backup',       { backupEligible: true }],
  ['credential',   { credentialId: randomBytes(15) }],
  ['credential',   { credentialId: randomBytes(1024) }],
  ['handle',       { handle: null }],
  ['handle',       { handle: randomBytes(64) }],
  ['malformed',    { attested: true }],
  ['malformed',    { extended: true }],
  ['signature',    { signature: () => randomBytes(70) }],
  ['signature',    { signature: (right) => Buffer.concat([right, Buffer.from([0])]) }],
  ['count',        { signCount: 1 }],
  ['count',        { signCount: 0 }],
]

test('every invalid passkey response gets the same error, changes nothing and is logged with its reason', async () => {
  const { app, authenticator } = await withPasskey()
  const before = await lastPasskey(app)
  const answers = []
  for (const [, wrong] of wrongs) {
    await app.pass({ seconds: 15 })
    answers.push(refusalOf(await logInPasskey(app.browser(), authenticator, { wrong })))
  }
  expect(answers).toEqual(wrongs.map(() => refused))
  expect([await lastPasskey(app), await allLogins(app.db)]).toEqual([
    before,
    [expect.objectContaining({ userId: 1 })],
  ])
  // The user is logged only once the passkey has been looked up.
  expect(failures(app).map((facts) => ({ ...facts, user: undefined }))).toEqual(
    wrongs.map(([refusal]) => ({ reason: 'passkey refused', refusal, address: '127.0.0.1' })),
  )
})

test('a credential that is not a passkey response is refused', async () => {
  const { app } = await withPasskey()
  const bad = [
    undefined,
    null,
    '',
    'text',
    '{',
    7,
    [],
    {},
    { response: {} },
    { id: 'a', rawId: 'a' },
  ]
  const answers = []
  for (const credential of bad) {
    await app.pass({ minutes: 1 })
    const browser = app.browser()
    await requestLoginOptions(browser)
    answers.push(refusalOf(await browser.postJson('/login/passkey', { credential })))
  }
  expect(answers).toEqual(bad.map(() => refused))
})

test('a form without a passkey response gets an error of its own and counts as no try', async () => {
  const { app, authenticator } = await withPasskey()
  const browser = app.browser()
  const early = []
  for (let i = 0; i < 6; i++)
    early.push(await browser.document('/login/passkey', { email: ann.email }))
  const right = await logInPasskey(browser, authenticator)
  expect(early.map(({ errors }) => errors)).toEqual(times(6, { credential: passkeyEarly }))
  expect([failures(app), right.status]).toEqual([[], 200])
})

test('the response that created a passkey does not log in', async () => {
  const { app } = await withPasskey()
  const browser = app.browser()
  const { challenge } = await requestLoginOptions(browser)
  const rp = { id: 'app.test', name: brandName }
  const user = { id: 'AAAA', name: 'Ann', displayName: 'Ann' }
  const pubKeyCredParams = [{ type: 'public-key' as const, alg: -7 }]
  const credential = newAuthenticator().create({ rp, user, challenge, pubKeyCredParams })
  expect(refusalOf(await browser.postJson('/login/passkey', { credential }))).toEqual(refused)
})

test('a login with a deleted passkey returns its credential ID, so that the browser stops offering it', async () => {
  const { app, anns, authenticator } = await withPasskey()
  const { id, credentialId } = await lastPasskey(app)
  await anns.postJson(`/settings/passkeys/${id}`, { _method: 'DELETE' })
  const visit = await logInPasskey(app.browser(), authenticator)
  expect([visit.status, visit.json]).toEqual([
    422,
    {
      message: errorWords.invalid,
      errors: { credential: passkeyUnknown },
      unknownCredential: { rpId: 'app.test', credentialId: credentialId.toString('base64url') },
    },
  ])
  expect(failures(app)).toEqual([{ reason: 'unknown passkey', address: '127.0.0.1' }])
})

test('a deleted passkey is not reported as unknown when anything else in its response is invalid', async () => {
  const { app, anns, authenticator } = await withPasskey()
  const { id } = await lastPasskey(app)
  await anns.postJson(`/settings/passkeys/${id}`, { _method: 'DELETE' })
  const unfit: Wrong[] = [
    { origin: 'http://evil.test' },
    { rpId: 'evil.test' },
    { verified: false },
    { crossOrigin: true },
    { credentialId: randomBytes(8) },
  ]
  const visits = []
  for (const wrong of unfit)
    visits.push(await logInPasskey(app.browser(), authenticator, { wrong }))
  expect(visits.map(({ json }) => json)).toEqual(
    unfit.map(() => ({ message: errorWords.invalid, errors: { credential: passkeyRefused } })),
  )
})

test('a challenge is answered only once, whether the response is valid or not', async () => {
  const { app, authenticator } = await withPasskey()
  const [right, wrong] = [app.browser(), app.browser()]
  const answer = { credential: authenticator.get(await requestLoginOptions(right)) }
  const jar = new Map(right.cookies)
  await right.postJson('/login/passkey', answer)
  // As somebody who copied the cookie.
  const copy = app.browser()
  for (const [name, value] of jar) copy.cookies.set(name, value)
  const replayed = await copy.postJson('/login/passkey', answer)
  const options = await requestLoginOptions(wrong)
  await wrong.postJson('/login/passkey', {
    credential: authenticator.get(options, { verified: false }),
  })
  const second = await wrong.postJson('/login/passkey', { credential: authenticator.get(options) })
  expect([refusalOf(replayed), refusalOf(second)]).toEqual([over, over])
  expect(await allLogins(app.db)).toHaveLength(2)
})

test('a challenge is valid for five minutes', async () => {
  const { app, authenticator } = await withPasskey()
  const [early, late] = [app.browser(), app.browser()]
  const answers = [
    authenticator.get(await requestLoginOptions(early)),
    authenticator.get(await requestLoginOptions(late)),
  ]
  await app.pass({ minutes: 4, seconds: 59.999 })
  const within = await early.postJson('/login/passkey', { credential: answers[0] })
  await app.pass({ seconds: 0.001 })
  const after = await late.postJson('/login/passkey', { credential: answers[1] })
  expect([within.status, refusalOf(after)]).toEqual([200, over])
})

test('a passkey response created in another browser is refused and does not use up the challenge', async () => {
  const { app, authenticator } = await withPasskey()
  const [own, other] = [app.browser(), app.browser()]
  const credential = authenticator.get(await requestLoginOptions(own))
  await requestLoginOptions(other)
  const stolen = await other.postJson('/login/passkey', { credential })
  const accepted = await own.postJson('/login/passkey', { credential })
  expect([refusalOf(stolen), accepted.status]).toEqual([refused, 200])
})

test('a confirmation challenge cannot be used to log in', async () => {
  const { app, anns, authenticator } = await withPasskey()
  const confirm = await requestPasskeyOptions<PublicKeyCredentialRequestOptionsJSON>(
    anns,
    '/confirm-password/passkey/options',
  )
  const guest = app.browser()
  const credential = authenticator.get({ ...confirm, rpId: 'app.test' })
  await requestLoginOptions(guest)
  expect(refusalOf(await guest.postJson('/login/passkey', { credential }))).toEqual(refused)
})

test('the last four tabs that requested login options may each respond, and an older one is refused', async () => {
  const { app, authenticator } = await withPasskey()
  const browser = app.browser()
  const options = []
  for (let tab = 0; tab < 5; tab++) options.push(await requestLoginOptions(browser))
  const [forgotten, first, second] = options.map((each) =>
    authenticator.get(each, { verified: false }),
  )
  const answers = []
  for (const credential of [forgotten, second, first])
    answers.push(await browser.postJson('/login/passkey', { credential }))
  const last = options.at(-1)
  if (!last) throw new Error('Nothing was asked.')
  const right = await browser.postJson('/login/passkey', { credential: authenticator.get(last) })
  const refusals = failures(app).map((facts) => (facts as { refusal?: string }).refusal)
  expect(answers.map(refusalOf)).toEqual([refused, refused, refused])
  expect(refusals).toEqual(['challenge', 'verification', 'verification'])
  expect(right.status).toBe(200)
})

test('of twenty simultaneous responses to one challenge, one logs in', async () => {
  const { app, authenticator } = await withPasskey({}, behindProxy)
  const browser = app.browser()
  const credential = authenticator.get(await requestLoginOptions(browser))
  const visits = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      browser.postJson('/login/passkey', { credential }, from(`192.0.2.${i}`)),
    ),
  )
  expect(visits.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(visits.filter(({ status }) => status === 422).map(refusalOf)).toEqual(times(19, over))
  expect(await allLogins(app.db)).toHaveLength(2)
})

test('a cloned passkey is refused once the signature count of the original is higher', async () => {
  const { app, authenticator } = await withPasskey()
  const copy = authenticator.clone()
  await logInPasskey(app.browser(), authenticator)
  await logInPasskey(app.browser(), authenticator)
  const visit = await logInPasskey(app.browser(), copy)
  expect(refusalOf(visit)).toEqual(refused)
  expect(failures(app)).toMatchObject([{ refusal: 'count' }])
})

test('of twenty clones of a passkey that respond at once with the same signature count, one logs in', async () => {
  const { app, authenticator } = await withPasskey({}, behindProxy)
  const tries = Array.from({ length: 20 }, (_, i) =>
    logInPasskey(app.browser(), authenticator.clone(), from(`192.0.2.${i}`)),
  )
  const visits = await Promise.all(tries)
  expect(visits.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await lastPasskey(app)).signCount).toBe(2)
})

test('a synced passkey that always has the signature count 0 logs in each time', async () => {
  const { app, authenticator } = await withPasskey({ counts: false, backedUp: true })
  const visits = [
    await logInPasskey(app.browser(), authenticator),
    await logInPasskey(app.browser(), authenticator.clone()),
  ]
  expect(visits.map(({ status }) => status)).toEqual([200, 200])
  expect(await lastPasskey(app)).toMatchObject({ signCount: 0, backedUp: true })
})

test('an address has five tries a minute, each counted before the response is checked', async () => {
  const { app, authenticator } = await withPasskey({}, behindProxy)
  const wrong = { wrong: { verified: false }, ...from('192.0.2.1') }
  await Promise.all(
    Array.from({ length: 5 }, () => logInPasskey(app.browser(), authenticator, wrong)),
  )
  const sixth = await logInPasskey(app.browser(), authenticator, from('192.0.2.1'))
  const elsewhere = await logInPasskey(app.browser(), authenticator, from('192.0.2.2'))
  await app.pass({ minutes: 1 })
  const later = await logInPasskey(app.browser(), authenticator, from('192.0.2.1'))
  expect(refusalOf(sixth)).toEqual([422, tryAgainIn(60)])
  expect(sixth.headers['retry-after']).toBe('60')
  expect([elsewhere.status, later.status]).toEqual([200, 200])
  expect(failures(app).at(-1)).toEqual({ reason: 'too many tries', address: '192.0.2.1' })
})

test('the addresses in an IPv6 /64 share their tries', async () => {
  const { app, authenticator } = await withPasskey({}, behindProxy)
  const tries = Array.from({ length: 5 }, (_, i) =>
    logInPasskey(app.browser(), authenticator, {
      wrong: { verified: false },
      ...from(`2001:db8::${i}`),
    }),
  )
  await Promise.all(tries)
  const sixth = await logInPasskey(app.browser(), authenticator, from('2001:db8::ffff'))
  const elsewhere = await logInPasskey(app.browser(), authenticator, from('2001:db8:0:1::'))
  expect([refusalOf(sixth), elsewhere.status]).toEqual([[422, tryAgainIn(60)], 200])
})

test('a successful passkey login clears the passkey tries of its address, but not the password tries', async () => {
  const { app, authenticator } = await withPasskey()
  const wrong = { wrong: { verified: false } }
  const mistyped = { email: ann.email, password: 'wrong word' }
  await Promise.all(Array.from({ length: 5 }, () => logIn(app.browser(), mistyped)))
  await Promise.all(
    Array.from({ length: 4 }, () => logInPasskey(app.browser(), authenticator, wrong)),
  )
  const right = await logInPasskey(app.browser(), authenticator)
  const again = await Promise.all(
    Array.from({ length: 5 }, () => logInPasskey(app.browser(), authenticator, wrong)),
  )
  const typed = await logIn(app.browser(), ann)
  expect(right.status).toBe(200)
  expect(again.map(refusalOf)).toEqual(times(5, refused))
  expect(typed.errors).toEqual({ email: tryAgainIn(60) })
})

test('an address may request login options three hundred times a minute', async () => {
  const app = await testApp(behindProxy)
  const here = from('192.0.2.1')
  const ask = '/login/passkey/options'
  const asks = Array.from({ length: 300 }, () => app.browser().postJson(ask, {}, here))
  const statuses = new Set((await Promise.all(asks)).map(({ status }) => status))
  const next = await app.browser().postJson(ask, {}, here)
  const elsewhere = await app.browser().postJson(ask, {}, from('192.0.2.2'))
  const kept = await countChallenges(app.db)
  await app.pass({ minutes: 1 })
  const later = await app.browser().postJson(ask, {}, here)
  expect([next.status, next.headers['retry-after'], next.json]).toEqual([
    429,
    '60',
    { message: tryAgainIn(60) },
  ])
  expect([statuses, kept, elsewhere.status, later.status]).toEqual([new Set([200]), 301, 200, 200])
})

test('a passkey login gets a 500 and logs nobody in when its try cannot be counted', async () => {
  const { app, authenticator } = await withPasskey()
  const browser = app.browser()
  const credential = authenticator.get(await requestLoginOptions(browser))
  await dropThrottles(app.db)
  const visit = await browser.postJson('/login/passkey', { credential })
  expect([visit.status, await isBrowserLoggedIn(browser)]).toEqual([500, false])
})

test('a logged-in user who requests a passkey login is sent to the dashboard', async () => {
  const { anns } = await withPasskey()
  const visits = [
    await anns.postJson('/login/passkey/options', {}),
    await anns.postJson('/login/passkey', {}),
  ]
  expect(visits.map(({ json }) => json)).toEqual(times(2, { redirect: '/dashboard' }))
})

test('passkey logins are refused on a site at an IP address', async () => {
  const app = await testApp({ config: { origin: 'http://127.0.0.1:3000' } })
  const browser = app.browser()
  const options = await browser.postJson('/login/passkey/options', {})
  const login = await browser.postJson('/login/passkey', { credential: {} })
  expect([options.status, options.json]).toEqual([422, { message: passkeysAbsent }])
  expect(refusalOf(login)).toEqual([422, passkeysAbsent])
})

test('a form may send the passkey response as JSON text, and is answered with a redirect', async () => {
  const { app, authenticator } = await withPasskey()
  const [right, wrong] = [app.browser(), app.browser()]
  const answer = async (
    browser: typeof right,
    authenticator: Authenticator,
    answered: Wrong = {},
  ) => {
    const credential = JSON.stringify(
      authenticator.get(await requestLoginOptions(browser), answered),
    )
    return browser.post('/login/passkey', { credential })
  }
  await wrong.get('/login')
  const back = await answer(wrong, authenticator, { verified: false })
  const on = await answer(right, authenticator)
  expect([back.url, back.errors]).toEqual(['/login', { credential: passkeyRefused }])
  expect(on.user?.email).toBe(ann.email)
})
