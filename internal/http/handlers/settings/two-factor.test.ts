import { brandName } from '../../../../web/brand/brand.ts'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { makeKeys } from '../../../base/crypto/keys.ts'
import { addNewPasskey, newAuthenticator, logInPasskey } from '../../../testing/passkeys.ts'
import { ann, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  allNotifications,
  allUsers,
  setRecoveryCodes,
  deleteLogins,
} from '../../../testing/database/rows.ts'
import { sessionOf } from '../../../testing/session-of.ts'
import { copyOf } from '../../../testing/sessions.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import { codeAt, wrongCodeAt } from '../../../testing/totp.ts'
import {
  beginTwoFactorSetup,
  turnOn,
  twoFactorOf,
  verifiedBrowser,
} from '../../../testing/two-factor.ts'
import type { Browser } from '../../../testing/browser.ts'

const security = '/settings/security'
const confirm = '/settings/two-factor/confirm'
const renew = '/settings/two-factor/recovery-codes'
const save = `${renew}/saved`
const destroy = { _method: 'DELETE' }
const giveUp = { ...destroy, setup: 'cancel' }
const eight = Array.from({ length: 8 }, () => expect.stringMatching(/^[a-z2-9]{5}-[a-z2-9]{5}$/))
const eightMarks = Array.from({ length: 8 }, () => expect.stringMatching(/^[\w-]{8}$/))

async function opened(
  options: Parameters<typeof testApp>[0] = {},
): Promise<{ app: TestApp; browser: Browser }> {
  const app = await testApp(options)
  return { app, browser: await verifiedBrowser(app) }
}

/** Returns where each of the five forms redirects the browser. */
async function locations(browser: Browser): Promise<(string | undefined)[]> {
  const visits = [
    await browser.post('/settings/two-factor', {}, { stay: true }),
    await browser.post(confirm, { code: '123456' }, { stay: true }),
    await browser.post(renew, {}, { stay: true }),
    await browser.post(save, {}, { stay: true }),
    await browser.post('/settings/two-factor', destroy, { stay: true }),
  ]
  return visits.map(({ location }) => location)
}

function partialReload(browser: Browser, prop: string) {
  const partial = { 'X-Page-Partial-Component': 'Settings/Security', 'X-Page-Partial-Data': prop }
  return browser.get(security, { headers: partial })
}

test('the security page shows two-factor login as off before it is set up', async () => {
  const { browser } = await opened()
  const off = { enabled: false, setup: null, codeMarks: [], codesLeft: null, codesSaved: false }
  expect(twoFactorOf(await browser.get(security))).toEqual(off)
})

test('the set-up shows the same secret, link and QR code each time the page is shown', async () => {
  const { app, browser } = await opened()
  const visit = await browser.post('/settings/two-factor')
  const { setup, ...rest } = twoFactorOf(visit)
  const twoFactor = twoFactorOf(await browser.get(security))
  expect(visit.url).toBe(security)
  expect(rest).toEqual({ enabled: false, codeMarks: [], codesLeft: null, codesSaved: false })
  expect(setup?.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(setup?.url).toContain(
    `otpauth://totp/${encodeURIComponent(brandName)}:ann%40x.test?issuer=${encodeURIComponent(brandName)}&secret=${setup?.secret}`,
  )
  expect(setup?.qr).toMatch(/^<svg /)
  expect(twoFactor.setup).toEqual(setup)
  expect(await allUsers(app.db)).toMatchObject([{ twoFactorSecret: null, recoveryCodes: null }])
})

test('starting the set-up again creates another secret, and the first one is no longer valid', async () => {
  const { app, browser } = await opened()
  const first = await beginTwoFactorSetup(browser)
  const second = await beginTwoFactorSetup(browser)
  const visit = await browser.post(confirm, { code: codeAt(first, app.now()) })
  expect(second).not.toBe(first)
  expect(visit.errors).toEqual({ code: errorWords.wrongCode })
})

test('a cancelled set-up is discarded and sends no notification', async () => {
  const { app, browser } = await opened()
  const secret = await beginTwoFactorSetup(browser)
  const visit = await browser.post('/settings/two-factor', giveUp)
  const late = await browser.post(confirm, { code: codeAt(secret, app.now()) })
  expect([visit.url, visit.flash]).toEqual([security, { success: flashWords.setUpGivenUp }])
  expect(twoFactorOf(visit)).toEqual({
    enabled: false,
    setup: null,
    codeMarks: [],
    codesLeft: null,
    codesSaved: false,
  })
  expect(late.flash).toEqual({ error: errorWords.setUpOver })
  expect(await allNotifications(app.db)).toEqual([])
})

test('cancelling a set-up in one tab does not turn off two-factor login that another tab turned on', async () => {
  const { app, browser } = await opened()
  await turnOn(app, browser)
  const visit = await browser.post('/settings/two-factor', giveUp)
  expect([twoFactorOf(visit).enabled, visit.flash]).toEqual([true, {}])
})

test('the code of the authenticator app turns two-factor login on and shows eight recovery codes once', async () => {
  const { app, browser } = await opened()
  const secret = await beginTwoFactorSetup(browser)
  const visit = await browser.post(confirm, { code: codeAt(secret, app.now()) })
  const again = await browser.get(security)
  expect(visit.flash).toEqual({ success: flashWords.twoFactorOn, recoveryCodes: eight })
  expect(twoFactorOf(visit)).toEqual({
    enabled: true,
    setup: null,
    codeMarks: eightMarks,
    codesLeft: 8,
    codesSaved: false,
  })
  expect(visit.user?.twoFactor).toBe(true)
  expect(again.flash).toEqual({})
  expect(again.body).not.toContain(visit.flash.recoveryCodes?.[0])
  expect(sessionOf(app, browser).setup).toBe(undefined)
})

test('a code is accepted with spaces, dashes and dots in it', async () => {
  const { app, browser } = await opened()
  const code = codeAt(await beginTwoFactorSetup(browser), app.now())
  const visit = await browser.post(confirm, { code: ` ${code.slice(0, 3)} – ${code.slice(3)}. ` })
  expect(twoFactorOf(visit).enabled).toBe(true)
})

test('a wrong or missing code shows an error at its field, and the set-up continues', async () => {
  const { app, browser } = await opened()
  const secret = await beginTwoFactorSetup(browser)
  await browser.get(security)
  const wrong = await browser.post(confirm, { code: wrongCodeAt(secret, app.now()) })
  const missing = await browser.post(confirm)
  const json = await browser.postJson(confirm, { code: wrongCodeAt(secret, app.now()) })
  expect([wrong.url, wrong.errors]).toEqual([security, { code: errorWords.wrongCode }])
  expect(missing.errors).toEqual({ code: errorWords.required })
  expect(json.status).toBe(422)
  expect(json.json).toMatchObject({ errors: { code: errorWords.wrongCode } })
  expect(twoFactorOf(missing).setup?.secret).toBe(secret)
  expect(await allUsers(app.db)).toMatchObject([{ twoFactorSecret: null }])
})

test('a code for a secret that another tab has replaced shows an error, and the set-up continues', async () => {
  const { app, browser } = await opened()
  const shownSecret = await beginTwoFactorSetup(browser)
  const secret = await beginTwoFactorSetup(browser)
  await browser.get(security)
  const late = await browser.post(confirm, {
    code: codeAt(shownSecret, app.now()),
    setup_token: shownSecret,
  })
  const visit = await browser.post(confirm, {
    code: codeAt(secret, app.now()),
    setup_token: secret,
  })
  expect([late.url, late.errors]).toEqual([security, { code: errorWords.setUpAnew }])
  expect(twoFactorOf(late).setup?.secret).toBe(secret)
  expect(twoFactorOf(visit).enabled).toBe(true)
})

test('of twenty simultaneous confirmations, one gets recovery codes and all show two-factor login as on', async () => {
  const { app, browser } = await opened()
  const code = codeAt(await beginTwoFactorSetup(browser), app.now())
  const tabs = Array.from({ length: 20 }, () => copyOf(app, browser))
  const visits = await Promise.all(tabs.map((tab) => tab.post(confirm, { code })))
  expect(visits.filter(({ flash }) => flash.recoveryCodes)).toHaveLength(1)
  expect(visits.map((visit) => twoFactorOf(visit).enabled)).toEqual(visits.map(() => true))
})

test('the second of two identical forms sets no cookie, so that the recovery codes are still shown', async () => {
  const { app, browser } = await opened()
  const secret = await beginTwoFactorSetup(browser)
  const second = copyOf(app, browser)
  // Long enough for the cookie to be sealed again.
  await app.pass({ minutes: 2 })
  const code = codeAt(secret, app.now())
  await browser.post(confirm, { code }, { stay: true })
  const answer = await second.post(confirm, { code }, { stay: true })
  const securityPage = await browser.get(security)
  expect([answer.location, answer.headers['set-cookie']]).toEqual([security, undefined])
  expect(securityPage.flash.recoveryCodes).toEqual(eight)
})

test.each(['cookie', 'database'] as const)(
  'the answer to the second of two simultaneous plain forms shows the recovery codes: %s',
  async (sessionStore) => {
    const { app, browser } = await opened({ config: { sessionStore } })
    const code = codeAt(await beginTwoFactorSetup(browser), app.now())
    const dropped = copyOf(app, browser)
    const sent = [dropped, browser].map((each) => each.document(confirm, { code }, { stay: true }))
    await Promise.all(sent)
    const securityPage = await browser.document(security)
    expect(securityPage.flash).toEqual({ success: flashWords.twoFactorOn, recoveryCodes: eight })
  },
)

test.each(['cookie', 'database'] as const)(
  'a plain form that is sent again after the first was answered shows the recovery codes: %s',
  async (sessionStore) => {
    const { app, browser } = await opened({ config: { sessionStore } })
    const code = codeAt(await beginTwoFactorSetup(browser), app.now())
    const dropped = copyOf(app, browser)
    await dropped.document(confirm, { code }, { stay: true })
    await browser.document(confirm, { code }, { stay: true })
    const securityPage = await browser.document(security)
    expect(securityPage.flash).toEqual({ success: flashWords.twoFactorOn, recoveryCodes: eight })
  },
)

test('no set-up can be started while two-factor login is on', async () => {
  const { app, browser } = await opened()
  await turnOn(app, browser)
  const visit = await browser.post('/settings/two-factor')
  const json = await browser.postJson('/settings/two-factor', {})
  expect(visit.flash).toEqual({ error: errorWords.twoFactorIsOn })
  expect(twoFactorOf(visit)).toEqual({
    enabled: true,
    setup: null,
    codeMarks: eightMarks,
    codesLeft: 8,
    codesSaved: false,
  })
  expect([json.status, json.json]).toEqual([422, { message: errorWords.twoFactorIsOn }])
})

test('a code without a set-up is refused', async () => {
  const { browser } = await opened()
  const visit = await browser.post(confirm, { code: '123456' })
  expect([visit.url, visit.flash]).toEqual([security, { error: errorWords.setUpOver }])
})

test('a code sent after another tab has finished the set-up shows that two-factor login is on', async () => {
  const { app, browser } = await opened()
  const secret = await beginTwoFactorSetup(browser)
  await browser.post(confirm, { code: codeAt(secret, app.now()) })
  const visit = await browser.post(confirm, { code: '123456' })
  expect([visit.url, visit.flash]).toEqual([security, { error: errorWords.twoFactorIsOn }])
})

test('a right code is refused when another browser has turned two-factor login on, and its set-up is discarded', async () => {
  const { app, browser } = await opened()
  const other = app.browser()
  await logIn(other, ann)
  await other.post('/confirm-password', { password: ann.password })
  const secret = await beginTwoFactorSetup(browser)
  const others = await beginTwoFactorSetup(other)
  await other.post(confirm, { code: codeAt(others, app.now()) })
  const visit = await browser.post(confirm, { code: codeAt(secret, app.now()) })
  expect([visit.url, visit.flash]).toEqual([security, { error: errorWords.twoFactorIsOn }])
  expect(twoFactorOf(visit)).toMatchObject({ enabled: true, setup: null })
  await browser.post('/settings/two-factor', { _method: 'DELETE' })
  expect(twoFactorOf(await browser.get(security))).toMatchObject({ enabled: false, setup: null })
})

test('a password change discards a set-up', async () => {
  const { app, browser } = await opened()
  const secret = await beginTwoFactorSetup(browser)
  await browser.post('/settings/password', {
    _method: 'PUT',
    current_password: ann.password,
    password: 'another horse',
    password_confirmation: 'another horse',
  })
  const visit = await browser.post(confirm, { code: codeAt(secret, app.now()) })
  expect(visit.flash).toEqual({ error: errorWords.setUpOver })
  expect(twoFactorOf(visit)).toEqual({
    enabled: false,
    setup: null,
    codeMarks: [],
    codesLeft: null,
    codesSaved: false,
  })
})

test('a set-up is discarded by the next login in its browser', async () => {
  const { app, browser } = await opened()
  const secret = await beginTwoFactorSetup(browser)
  await deleteLogins(app.db)
  await logIn(browser, ann)
  const shown = twoFactorOf(await browser.get(security))
  const visit = await browser.post(confirm, { code: codeAt(secret, app.now()) })
  expect(shown.setup).toBe(null)
  expect(visit.flash).toEqual({ error: errorWords.setUpOver })
  expect(twoFactorOf(visit).enabled).toBe(false)
})

test('recovery codes are sent only in a partial reload that names them', async () => {
  const { app, browser } = await opened()
  const { codes } = await turnOn(app, browser)
  const named = await partialReload(browser, 'recoveryCodes')
  const fullPage = await browser.get(security)
  const other = await partialReload(browser, 'twoFactor')
  expect(named.page.props['recoveryCodes']).toEqual(codes)
  expect(fullPage.page.props).not.toHaveProperty('recoveryCodes')
  expect(other.page.props).not.toHaveProperty('recoveryCodes')
})

test('new recovery codes replace the old ones and are shown once', async () => {
  const { app, browser } = await opened()
  const { codes } = await turnOn(app, browser)
  const visit = await browser.post(renew)
  const now = (await partialReload(browser, 'recoveryCodes')).page.props['recoveryCodes']
  expect(visit.url).toBe(security)
  expect(visit.flash).toEqual({ success: flashWords.recoveryCodesMade, recoveryCodes: eight })
  expect(now).toEqual(visit.flash.recoveryCodes)
  expect(codes.filter((code) => visit.flash.recoveryCodes?.includes(code))).toEqual([])
  expect((await browser.get(security)).flash).toEqual({})
})

test('recovery codes are unsaved until the user confirms that they are saved, and new codes are unsaved again', async () => {
  const { app, browser } = await opened()
  await turnOn(app, browser)
  const isSaved = async () => twoFactorOf(await browser.get(security)).codesSaved
  const authenticator = await isSaved()
  const visit = await browser.post(save)
  const saved = [await isSaved(), (await browser.get('/dashboard')).page.props['codesSaved']]
  await browser.post(renew)
  expect([authenticator, saved, await isSaved()]).toEqual([false, [true, true], false])
  expect([visit.url, visit.flash]).toEqual([security, { success: flashWords.recoveryCodesSaved }])
})

test('recovery codes that were replaced meanwhile cannot be marked as saved, and the new codes are shown', async () => {
  const { app, browser } = await opened()
  const { codes: old } = await turnOn(app, browser)
  const { flash: renewed } = await browser.post(renew)
  const late = await browser.post(save, { codes: old.join(' ') })
  const { codesSaved } = twoFactorOf(late)
  const codes = (late.flash.recoveryCodes ?? []).join(' ')
  const other = app.browser()
  await logIn(other, ann)
  await other.post('/two-factor-challenge', { recovery_code: codes.slice(0, 11) })
  const visit = await browser.post(save, { codes })
  expect([late.url, codesSaved]).toEqual([security, false])
  expect(late.flash).toEqual({
    ...renewed,
    success: undefined,
    error: flashWords.recoveryCodesAreOld,
  })
  expect(visit.flash).toEqual({ success: flashWords.recoveryCodesSaved })
  expect(twoFactorOf(await browser.get(security))).toMatchObject({ codesLeft: 7, codesSaved: true })
})

test('recovery codes stay saved and keep their marks when one is used, and are unsaved and others when two-factor login is turned on again', async () => {
  const { app, browser } = await opened()
  const { codes } = await turnOn(app, browser)
  const marks = new Set(twoFactorOf(await browser.post(save)).codeMarks)
  const other = app.browser()
  await logIn(other, ann)
  await other.post('/two-factor-challenge', { recovery_code: codes[0] ?? '' })
  const used = twoFactorOf(await browser.get(security))
  await browser.post('/settings/two-factor', destroy)
  await turnOn(app, browser)
  const made = twoFactorOf(await browser.get(security))
  expect(used).toMatchObject({ codesLeft: 7, codesSaved: true })
  expect(marks.difference(new Set(used.codeMarks)).size).toBe(1)
  expect([made.codesSaved, marks.isDisjointFrom(new Set(made.codeMarks))]).toEqual([false, true])
})

test('recovery codes cannot be created, shown or saved while two-factor login is off', async () => {
  const { browser } = await opened()
  const visit = await browser.post(renew)
  const saved = await browser.post(save)
  expect(visit.flash).toEqual({ error: errorWords.twoFactorIsOff })
  expect(saved.flash).toEqual({ error: errorWords.twoFactorIsOff })
  expect((await partialReload(browser, 'recoveryCodes')).page.props['recoveryCodes']).toEqual([])
})

test('turning two-factor login off clears its secret and codes, notifies the user and skips the challenge', async () => {
  const { app, browser } = await opened()
  await turnOn(app, browser)
  const visit = await browser.post('/settings/two-factor', destroy)
  const other = await logIn(app.browser(), ann)
  const kinds = (await allNotifications(app.db)).map(({ kind }) => kind)
  expect(visit.flash).toEqual({ success: flashWords.twoFactorOff })
  expect(twoFactorOf(visit)).toEqual({
    enabled: false,
    setup: null,
    codeMarks: [],
    codesLeft: null,
    codesSaved: false,
  })
  expect(await allUsers(app.db)).toMatchObject([{ twoFactorSecret: null, recoveryCodes: null }])
  expect([other.url, other.user?.twoFactor]).toEqual(['/dashboard', false])
  expect(kinds).toEqual(['two-factor-disabled', 'new-login'])
})

test('turning two-factor login off twice notifies the user once', async () => {
  const { app, browser } = await opened()
  await turnOn(app, browser)
  await browser.post('/settings/two-factor', destroy)
  await browser.post('/settings/two-factor', destroy)
  expect(await allNotifications(app.db)).toHaveLength(1)
})

test('turning two-factor login off is mailed to the user', async () => {
  const app = await testApp({ workers: true })
  const browser = await verifiedBrowser(app)
  await turnOn(app, browser)
  await app.outbox.nextTo(ann.email)
  await browser.post('/settings/two-factor', destroy)
  const { subject } = await app.outbox.nextTo(ann.email)
  expect(subject).toBe('Two-factor login was turned off')
})

test('a guest, an unverified user and a user whose confirmation lapsed are redirected from every form', async () => {
  const app = await testApp()
  const guest = await locations(app.browser())
  const browser = await registeredBrowser(app, ann)
  const unverified = await locations(browser)
  const other = await verifiedBrowser(app, { ...ann, email: 'other@x.test' })
  await app.pass({ hours: 1.9 })
  await other.get('/dashboard')
  await app.pass({ hours: 1.2 })
  const lapsed = await locations(other)
  expect(new Set(guest)).toEqual(new Set(['/login']))
  expect(new Set(unverified)).toEqual(new Set(['/verify-email']))
  expect(new Set(lapsed)).toEqual(new Set(['/confirm-password']))
  expect(await allUsers(app.db)).toMatchObject([
    { twoFactorSecret: null },
    { twoFactorSecret: null },
  ])
})

test('a JSON client that starts the set-up gets the redirect to the security page', async () => {
  const { browser } = await opened()
  const answer = await browser.postJson('/settings/two-factor', {})
  expect([answer.status, answer.json]).toEqual([200, { redirect: security }])
})

test('recovery codes that no key opens count as none, and new ones can be created', async () => {
  const { app, browser } = await opened()
  await turnOn(app, browser)
  const lost = makeKeys([Buffer.alloc(32)])
  const [user] = await allUsers(app.db)
  const sealed = lost.seal('recovery', `recovery:${user?.id}`, '[]')
  await setRecoveryCodes(app.db, sealed)
  const twoFactor = twoFactorOf(await browser.get(security))
  const listed = await partialReload(browser, 'recoveryCodes')
  const renewed = await browser.post(renew)
  expect([listed.status, listed.page.props['recoveryCodes']]).toEqual([200, []])
  expect(twoFactor).toEqual({
    enabled: true,
    setup: null,
    codeMarks: [],
    codesLeft: 0,
    codesSaved: false,
  })
  expect(twoFactorOf(renewed).codesLeft).toBe(8)
})

test('two-factor login whose secret and codes no key opens can be turned off after a passkey login', async () => {
  const { app, browser } = await opened()
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  await turnOn(app, browser)
  const { files, database } = app.config
  const changed = await testApp({ config: { files, database, keys: [randomBytes(32)] } })
  const other = changed.browser()
  await logInPasskey(other, authenticator)
  const before = twoFactorOf(await other.get(security))
  const visit = await other.post('/settings/two-factor', destroy)
  const next = await logIn(changed.browser(), ann)
  expect(before).toMatchObject({ enabled: true, codesLeft: 0 })
  expect([visit.flash, twoFactorOf(visit).enabled]).toEqual([
    { success: flashWords.twoFactorOff },
    false,
  ])
  expect([next.url, next.user?.name]).toEqual(['/dashboard', 'Ann'])
})
