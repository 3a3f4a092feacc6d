import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorWords, tryAgainIn } from '#words/errors'
import { flashWords } from '#words/flash'
import { confirmWithPasskey } from '../../../domain/accounts/confirm-password.ts'
import {
  addNewPasskey,
  allPasskeys,
  newAuthenticator,
  requestConfirmOptions,
  isBrowserLoggedIn,
  requestLoginOptions,
  times,
  refusalOf,
  withoutPassword,
} from '../../../testing/passkeys.ts'
import { ann, bob, logIn, registeredBrowser } from '../../../testing/people.ts'
import { countRowsOfUsers } from '../../../testing/database/rows.ts'
import { sessionOf } from '../../../testing/session-of.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type { Authenticator, Wrong } from '../../../testing/authenticator.ts'
import type { Browser } from '../../../testing/browser.ts'

const { passkeyEarly, passkeyRefused, passkeyOver } = errorWords
const refused = [422, passkeyRefused]

/** Ann with a passkey, whose confirmation has lapsed, and who has been sent to confirm. */
async function lapsed(make: Parameters<typeof newAuthenticator>[0] = {}) {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const authenticator = newAuthenticator(make)
  await addNewPasskey(browser, authenticator)
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/dashboard')
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/settings/profile')
  return { app, browser, authenticator }
}

async function confirm(browser: Browser, authenticator: Authenticator, wrong: Wrong = {}) {
  const credential = authenticator.get(await requestConfirmOptions(browser), wrong)
  return browser.postJson('/confirm-password', { credential })
}

async function isConfirmed(browser: Browser): Promise<boolean> {
  return (await browser.get('/settings/profile')).url === '/settings/profile'
}

async function deleteWith(browser: Browser, authenticator: Authenticator, wrong: Wrong = {}) {
  const credential = authenticator.get(await requestConfirmOptions(browser), wrong)
  return browser.postJson('/settings/profile', { _method: 'DELETE', credential })
}

/** Ann's account, which has no password, and her browser on the profile. */
async function onProfile(): Promise<{
  app: TestApp
  browser: Browser
  authenticator: Authenticator
}> {
  const app = await testApp()
  return { app, ...(await withoutPassword(app)) }
}

test('the confirmation page says whether the user has a passkey', async () => {
  const { app, browser } = await lapsed()
  const bobs = await registeredBrowser(app, bob)
  const pages = [await browser.get('/confirm-password'), await bobs.get('/confirm-password')]
  expect(pages.map(({ page }) => page.props['passkey'])).toEqual([true, false])
})

test('the confirmation options list the user’s own passkeys and no others', async () => {
  const { app, browser } = await lapsed()
  await addNewPasskey(await registeredBrowser(app, bob), newAuthenticator())
  const options = await requestConfirmOptions(browser)
  const [own] = await allPasskeys(app.db)
  const id = own?.credentialId.toString('base64url')
  expect(options).toMatchObject({
    rpId: 'app.test',
    userVerification: 'required',
    allowCredentials: [{ type: 'public-key', id, transports: ['internal', 'hybrid'] }],
  })
  expect(options.allowCredentials).toHaveLength(1)
})

test('a user who confirms with a passkey goes back to the page they wanted', async () => {
  const { browser, authenticator } = await lapsed()
  const visit = await confirm(browser, authenticator)
  expect([visit.status, visit.json]).toEqual([200, { redirect: '/settings/profile' }])
  expect(await isConfirmed(browser)).toBe(true)
})

test('a confirmation with a passkey lasts three hours and is stored as a use of the passkey', async () => {
  const { app, browser, authenticator } = await lapsed()
  await confirm(browser, authenticator)
  expect(await allPasskeys(app.db)).toMatchObject([{ lastUsedAt: app.now(), signCount: 2 }])
  await app.pass({ hours: 1, minutes: 59 })
  const soon = await isConfirmed(browser)
  await app.pass({ hours: 1, minutes: 1 })
  expect([soon, await isConfirmed(browser)]).toEqual([true, false])
})

test('a passkey named in the options may answer without a user handle', async () => {
  const { browser, authenticator } = await lapsed()
  expect((await confirm(browser, authenticator, { handle: null })).status).toBe(200)
})

// oxfmt-ignore
const wrongs: readonly Wrong[] = [
  { type: 'webauthn.create' },
  { challenge: randomBytes(32).toString('base64url') },
  { origin: 'http://evil.test' },
  { crossOrigin: true },
  { rpId: 'evil.test' },
  { present: false },
  { verified: false },
  { backedUp: true },
  { credentialId: randomBytes(32) },
  { handle: randomBytes(64) },
  { signature: () => randomBytes(70) },
  { signCount: 1 },
]

test('every invalid passkey response gets the same error and confirms nothing', async () => {
  const { app, browser, authenticator } = await lapsed()
  const before = await allPasskeys(app.db)
  const answers = []
  for (const wrong of wrongs) {
    await app.pass({ seconds: 15 })
    answers.push(refusalOf(await confirm(browser, authenticator, wrong)))
  }
  expect(answers).toEqual(wrongs.map(() => refused))
  expect([await isConfirmed(browser), await allPasskeys(app.db)]).toEqual([false, before])
})

test('a passkey of another user confirms nothing', async () => {
  const { app, browser } = await lapsed()
  const bobs = await registeredBrowser(app, bob)
  const authenticator = newAuthenticator()
  await addNewPasskey(bobs, authenticator)
  const { challenge } = await requestConfirmOptions(browser)
  const { rpId = '' } = await requestLoginOptions(app.browser())
  const visit = await browser.postJson('/confirm-password', {
    credential: authenticator.get({ rpId, challenge }),
  })
  expect([refusalOf(visit), await isConfirmed(browser)]).toEqual([refused, false])
})

/** Returns options sent to Ann before her passkey was removed and Bob got one with its credential ID. */
async function moved() {
  const app = await testApp()
  const [browser, bobs] = [await registeredBrowser(app, ann), await registeredBrowser(app, bob)]
  const [authenticator, other] = [newAuthenticator(), newAuthenticator()]
  const wrong = { credentialId: randomBytes(32) }
  await addNewPasskey(browser, authenticator, { wrong })
  const options = await requestConfirmOptions(browser)
  await browser.postJson('/settings/passkeys/1', { _method: 'DELETE' })
  await addNewPasskey(bobs, other, { wrong })
  return { app, browser, bobs, options, other }
}

test('another user’s passkey with the credential ID of the user’s removed passkey confirms nothing', async () => {
  const { browser, options, other } = await moved()
  const credential = other.get(options, { handle: null })
  expect(refusalOf(await browser.postJson('/confirm-password', { credential }))).toEqual(refused)
})

test('a user’s own passkey confirms nothing when its challenge was issued to another user', async () => {
  const { app, bobs, options, other } = await moved()
  const answer = { credential: other.get(options), challenges: [options.challenge] }
  const { login } = sessionOf(app, bobs)
  if (!login) throw new Error('Bob is not logged in.')
  expect(await confirmWithPasskey(app, login, answer)).toEqual({
    result: 'refused',
    why: 'credential',
  })
})

test('a passkey added or removed after the options were sent confirms nothing', async () => {
  const { app, browser, authenticator } = await lapsed()
  const other = app.browser()
  await logIn(other, ann)
  const options = await requestConfirmOptions(browser)
  const later = newAuthenticator()
  await addNewPasskey(other, later)
  const added = later.get({ rpId: 'app.test', challenge: options.challenge })
  const visits = [await browser.postJson('/confirm-password', { credential: added })]
  const removed = authenticator.get(await requestConfirmOptions(browser))
  await other.postJson('/settings/passkeys/1', { _method: 'DELETE' })
  visits.push(await browser.postJson('/confirm-password', { credential: removed }))
  expect(visits.map(refusalOf)).toEqual([refused, refused])
})

test('a challenge confirms only once, and only within five minutes', async () => {
  // A synced one, whose count cannot reveal a replayed answer.
  const { app, browser, authenticator } = await lapsed({ counts: false })
  const credential = authenticator.get(await requestConfirmOptions(browser))
  const tries = await Promise.all(
    Array.from({ length: 5 }, () => browser.postJson('/confirm-password', { credential })),
  )
  const late = authenticator.get(await requestConfirmOptions(browser))
  await app.pass({ minutes: 5 })
  const over = await browser.postJson('/confirm-password', { credential: late })
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(refusalOf(over)).toEqual([422, passkeyOver])
})

test('passkey and password checks share one limit of five a minute per user', async () => {
  const { app, browser, authenticator } = await lapsed()
  const wrong = { password: 'wrong word' }
  await Promise.all(Array.from({ length: 3 }, () => browser.postJson('/confirm-password', wrong)))
  for (let i = 0; i < 2; i++) await confirm(browser, authenticator, { verified: false })
  const sixth = await confirm(browser, authenticator)
  const typed = await browser.postJson('/confirm-password', { password: ann.password })
  await app.pass({ minutes: 1 })
  const later = await confirm(browser, authenticator)
  const wait = tryAgainIn(60)
  expect([refusalOf(sixth), sixth.headers['retry-after']]).toEqual([[422, wait], '60'])
  expect(typed.json).toMatchObject({ errors: { password: wait } })
  expect(later.status).toBe(200)
})

test('a successful confirmation with a passkey clears the tries', async () => {
  const { browser, authenticator } = await lapsed()
  const wrong = { password: 'wrong word' }
  const tryFour = () =>
    Promise.all(Array.from({ length: 4 }, () => browser.postJson('/confirm-password', wrong)))
  await tryFour()
  await confirm(browser, authenticator)
  const again = await tryFour()
  expect(again.filter(({ headers }) => headers['retry-after'])).toEqual([])
})

test('an account without a password can be confirmed only with a passkey', async () => {
  const { browser, authenticator } = await onProfile()
  const typed = await browser.postJson('/confirm-password', { password: ann.password })
  const empty = await browser.postJson('/confirm-password', { password: '' })
  expect([typed.json, empty.json]).toMatchObject([
    { errors: { password: errorWords.wrongPassword } },
    { errors: { password: errorWords.required } },
  ])
  expect((await confirm(browser, authenticator)).status).toBe(200)
})

test('an empty passkey response gets an error of its own, without a password check or a counted try', async () => {
  const { app, browser, authenticator } = await lapsed()
  const typed = { password: 'half a passw', credential: '' }
  const early = []
  for (let i = 0; i < 6; i++) early.push(await browser.document('/confirm-password', typed))
  const right = await confirm(browser, authenticator)
  expect(early.map(({ errors }) => errors)).toEqual(times(6, { credential: passkeyEarly }))
  expect(app.logLines.filter(({ message }) => message === 'confirmation failed')).toEqual([])
  expect(right.status).toBe(200)
})

test('an empty passkey response to the form that deletes the account gets an error and deletes nothing', async () => {
  const { app, browser } = await onProfile()
  const early = await browser.document('/settings/profile', { _method: 'DELETE', credential: '' })
  expect(early.errors).toEqual({ credential: passkeyEarly })
  expect(await countRowsOfUsers(app.db)).toMatchObject({ users: 1 })
})

test('confirmation options are refused to a user without a passkey and on a site at an IP address', async () => {
  const app = await testApp()
  const bare = await testApp({ config: { origin: 'http://127.0.0.1:3000' } })
  const browsers = [await registeredBrowser(app, ann), await registeredBrowser(bare, ann)]
  const visits = await Promise.all(
    browsers.map((browser) => browser.postJson('/confirm-password/passkey/options', {})),
  )
  const { passkeysNone, passkeysAbsent } = errorWords
  expect(visits.map(refusalOf)).toEqual([
    [422, passkeysNone],
    [422, passkeysAbsent],
  ])
})

test('a guest who requests confirmation options gets a 401', async () => {
  const app = await testApp()
  const visit = await app.browser().postJson('/confirm-password/passkey/options', {})
  expect(visit.status).toBe(401)
})

test('an account without a password is deleted with a passkey', async () => {
  const { app, browser, authenticator } = await onProfile()
  const visit = await deleteWith(browser, authenticator)
  expect([visit.status, visit.json]).toEqual([200, { redirect: '/' }])
  expect(await countRowsOfUsers(app.db)).toMatchObject({ users: 0, passkeys: 0, logins: 0 })
  expect((await browser.get('/')).flash.success).toBe(flashWords.accountDeleted)
})

test('a refused or missing passkey response does not delete the account', async () => {
  const { app, browser, authenticator } = await onProfile()
  const visits = [
    await deleteWith(browser, authenticator, { verified: false }),
    await deleteWith(browser, authenticator, { origin: 'http://evil.test' }),
    await browser.postJson('/settings/profile', { _method: 'DELETE', credential: {} }),
  ]
  const none = await browser.postJson('/settings/profile', { _method: 'DELETE' })
  expect(visits.map(refusalOf)).toEqual([refused, refused, refused])
  expect(none.json).toMatchObject({ errors: { password: errorWords.noPassword } })
  expect([await isBrowserLoggedIn(browser), await countRowsOfUsers(app.db)]).toMatchObject([
    true,
    { users: 1 },
  ])
})

test('a login challenge cannot be used to delete the account', async () => {
  const { app, browser, authenticator } = await onProfile()
  const { challenge, rpId = '' } = await requestLoginOptions(app.browser())
  await requestConfirmOptions(browser)
  const credential = authenticator.get({ rpId, challenge })
  const visit = await browser.postJson('/settings/profile', { _method: 'DELETE', credential })
  expect([refusalOf(visit), await countRowsOfUsers(app.db)]).toMatchObject([refused, { users: 1 }])
})

test('an account with a password is deleted with the password, not with a passkey', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  const visit = await deleteWith(browser, authenticator)
  const typed = await browser.postJson('/settings/profile', {
    _method: 'DELETE',
    password: ann.password,
  })
  expect(visit.json).toMatchObject({ errors: { password: errorWords.required } })
  expect([typed.status, await countRowsOfUsers(app.db)]).toMatchObject([200, { users: 0 }])
})

test('deleting an account with a passkey can be tried five times a minute', async () => {
  const { app, browser, authenticator } = await onProfile()
  for (let i = 0; i < 5; i++) await deleteWith(browser, authenticator, { verified: false })
  const sixth = await deleteWith(browser, authenticator)
  expect([refusalOf(sixth), sixth.headers['retry-after']]).toEqual([[422, tryAgainIn(60)], '60'])
  expect(await countRowsOfUsers(app.db)).toMatchObject({ users: 1 })
})
