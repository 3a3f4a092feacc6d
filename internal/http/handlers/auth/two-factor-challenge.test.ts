import { errorWords, tryAgainIn } from '#words/errors'
import { expect, test } from 'vitest'
import { appName } from '../../../../web/contract/name.ts'
import { flashWords } from '#words/flash'
import { guardWords } from '#words/guards'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  allLogins,
  allNotifications,
  allUsers,
  dropLogins,
  dropThrottles,
  deleteLogins,
  deleteUsers,
  waitingLogins,
} from '../../../testing/database/rows.ts'
import { linkIn } from '../../../testing/mails.ts'
import { sessionOf } from '../../../testing/session-of.ts'
import { copyOf } from '../../../testing/sessions.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import { codeAt } from '../../../testing/totp.ts'
import { type Factor, turnOn, verifiedBrowser } from '../../../testing/two-factor.ts'
import type { Browser, Visit } from '../../../testing/browser.ts'

const challenge = '/two-factor-challenge'
const stay = { stay: true }
interface Waiting {
  readonly app: TestApp
  readonly factor: Factor
  /** Ann's browser, in which she turned two-factor login on. */
  readonly own: Browser
  /** Ann's other browser, whose login waits for its code. */
  readonly browser: Browser
}

async function waiting(app?: TestApp): Promise<Waiting> {
  const opened = app ?? (await testApp())
  const own = await verifiedBrowser(opened)
  const factor = await turnOn(opened, own)
  return { app: opened, own, factor, browser: await waitingBrowser(opened) }
}

async function waitingBrowser(app: TestApp): Promise<Browser> {
  const browser = app.browser()
  const visit = await logIn(browser, ann)
  if (visit.url !== challenge) throw new Error(`No code was asked for: ${visit.body}`)
  return browser
}

function isIn(visits: readonly Visit[]): number {
  return visits.filter(({ user }) => user !== null).length
}

test('after the right password the challenge page asks for the code, and nobody is logged in yet', async () => {
  const { app, own, browser } = await waiting()
  const before = await allLogins(app.db)
  const challengePage = await browser.get(challenge)
  const dashboard = await browser.get('/dashboard')
  expect([challengePage.status, challengePage.component, challengePage.user]).toEqual([
    200,
    'Auth/TwoFactorChallenge',
    null,
  ])
  expect(dashboard.url).toBe('/login')
  expect(before).toHaveLength(1)
  expect((await own.get('/dashboard')).user?.name).toBe('Ann')
})

test('the code of the authenticator app logs in and counts as a password confirmation', async () => {
  const { app, factor, browser } = await waiting()
  const visit = await browser.post(challenge, { code: factor.code() })
  const security = await browser.get('/settings/security')
  expect([visit.url, visit.user?.name, visit.flash]).toEqual(['/dashboard', 'Ann', {}])
  expect(security.component).toBe('Settings/Security')
  expect(sessionOf(app, browser).waiting).toBe(undefined)
  expect(await waitingLogins(app.db)).toEqual([])
})

test('a code is accepted with spaces, dashes and dots in it', async () => {
  const { factor, browser } = await waiting()
  const code = factor.code()
  const visit = await browser.post(challenge, {
    code: ` ${code.slice(0, 3)} –${code.slice(3, 5)}-${code.slice(5)}.`,
  })
  expect(visit.user?.name).toBe('Ann')
})

test('the codes of the next and the previous time step are accepted', async () => {
  const { app, factor, browser } = await waiting()
  const other = await waitingBrowser(app)
  const code = factor.code()
  await app.pass({ seconds: -30 })
  const early = await browser.post(challenge, { code })
  await app.pass({ seconds: 90 })
  const previous = codeAt(factor.secret, new Date(+app.now() - 30_000))
  const late = await other.post(challenge, { code: previous })
  expect([early.user?.name, late.user?.name]).toEqual(['Ann', 'Ann'])
})

test('the code that turned two-factor login on is not accepted for a login', async () => {
  const { app, factor, browser } = await waiting()
  const used = codeAt(factor.secret, new Date(+app.now() - 30_000))
  const visit = await browser.post(challenge, { code: used })
  expect([visit.errors, visit.user]).toEqual([{ code: errorWords.wrongCode }, null])
})

test('a form that sends both fields is accepted when one of them is empty', async () => {
  const { factor, browser } = await waiting()
  const visit = await browser.post(challenge, { code: '', recovery_code: factor.codes[0] ?? '' })
  expect(visit.user?.name).toBe('Ann')
})

test('a JSON client gets an error for a wrong code and the redirect for the right one', async () => {
  const { factor, browser } = await waiting()
  const wrong = await browser.postJson(challenge, { code: factor.wrong() })
  const right = await browser.postJson(challenge, { code: factor.code() })
  expect([wrong.status, wrong.json]).toEqual([
    422,
    { message: errorWords.invalid, errors: { code: errorWords.wrongCode } },
  ])
  expect([right.status, right.json]).toEqual([200, { redirect: '/dashboard' }])
})

test('a login with a code leads to the wanted page and is remembered', async () => {
  const { app, factor } = await waiting()
  const browser = app.browser()
  await browser.get('/settings/security')
  await browser.post('/login', { ...ann, remember: 'on' })
  const visit = await browser.post(challenge, { code: factor.code() })
  expect(visit.url).toBe('/settings/security')
  expect((await allLogins(app.db)).map(({ remember }) => remember)).toEqual([false, true])
})

test('a login from a new browser is notified only after the right code', async () => {
  const { app, factor, browser } = await waiting()
  const before = await allNotifications(app.db)
  await browser.post(challenge, { code: factor.code() })
  const [notification] = await allNotifications(app.db)
  expect([before, notification?.kind]).toEqual([[], 'new-login'])
})

test('a recovery code logs in once, in any case and with or without its dash', async () => {
  const { app, factor, browser } = await waiting()
  const [first = '', second = ''] = factor.codes
  const typed = first.toUpperCase().replace('-', ' ')
  const visit = await browser.post(challenge, { recovery_code: typed })
  const other = await waitingBrowser(app)
  const again = await other.post(challenge, { recovery_code: first })
  const next = await other.post(challenge, { recovery_code: second.replace('-', '') })
  expect([visit.user?.name, visit.flash]).toEqual(['Ann', {}])
  expect(again.errors).toEqual({ recovery_code: errorWords.wrongRecoveryCode })
  expect(next.user?.name).toBe('Ann')
})

test('a login with a recovery code shows a message when two or fewer codes are left', async () => {
  const { app, factor } = await waiting()
  const messages: (string | undefined)[] = []
  for (const recovery_code of factor.codes) {
    await app.pass({ minutes: 1 })
    const browser = await waitingBrowser(app)
    messages.push((await browser.post(challenge, { recovery_code })).flash.success)
  }
  const { fewCodes } = flashWords
  const none = undefined
  expect(messages).toEqual([none, none, none, none, none, fewCodes(2), fewCodes(1), fewCodes(0)])
})

test('a browser without a waiting login is sent to log in', async () => {
  const { factor, app } = await waiting()
  const browser = app.browser()
  const opened = await browser.get(challenge, stay)
  const sent = await browser.post(challenge, { code: factor.code() }, stay)
  const empty = await browser.post(challenge, {}, stay)
  const json = await browser.postJson(challenge, { code: factor.code() })
  const locations = [opened, sent, empty].map(({ location }) => location)
  expect(locations).toEqual(['/login', '/login', '/login'])
  expect([json.status, json.json]).toEqual([401, { message: guardWords.users, redirect: '/login' }])
})

test('a logged-in user is sent from the challenge to the dashboard', async () => {
  const { own, factor } = await waiting()
  const opened = await own.get(challenge, stay)
  const sent = await own.post(challenge, { code: factor.code() }, stay)
  expect([opened.location, sent.location]).toEqual(['/dashboard', '/dashboard'])
})

test('a waiting login ends after ten minutes, and the login page says so once', async () => {
  const { app, factor, browser } = await waiting()
  await app.pass({ minutes: 9, seconds: 59 })
  const within = await browser.get(challenge)
  await app.pass({ seconds: 1 })
  const late = await browser.post(challenge, { code: factor.code() })
  const again = await browser.get('/login')
  expect(within.component).toBe('Auth/TwoFactorChallenge')
  expect([late.url, late.flash, late.user]).toEqual([
    '/login',
    { error: flashWords.waitOver },
    null,
  ])
  expect(again.flash).toEqual({})
})

test.each(['cookie', 'database'] as const)(
  'a code repeated with its press ID does not log in a browser whose own session has ended: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const other = await registeredBrowser(app, bob)
    await copyOf(app, other).post('/logout')
    const { factor, browser } = await waiting(app)
    await app.pass({ minutes: 1 })
    const sent = { headers: { 'X-Page-Press': 'a+press+of+a+person' } }
    const code = factor.code()
    const lost = copyOf(app, browser)
    await lost.post(challenge, { code }, sent)
    const visit = await other.post(challenge, { code }, sent)
    expect([visit.url, visit.user]).toEqual(['/login', null])
  },
)

test.each(['cookie', 'database'] as const)(
  'a code sent after the session cookie expired leads to the message that the login has ended: %s',
  async (sessionStore) => {
    const { app, factor, browser } = await waiting(await testApp({ config: { sessionStore } }))
    await browser.get(challenge)
    await app.pass({ hours: 3 })
    // As a browser drops an expired cookie.
    browser.cookies.delete(`${appName}_session`)
    const late = await browser.post(challenge, { code: factor.code() })
    const again = await browser.get('/login', {
      headers: { Referer: app.config.origin + challenge },
    })
    expect([late.url, late.flash, again.flash]).toEqual([
      '/login',
      { error: flashWords.waitOver },
      {},
    ])
  },
)

test('the login page shows the message of an expired link in place of the one about an ended login', async () => {
  const { app, browser } = await waiting()
  await app.pass({ minutes: 10 })
  const visit = await browser.get('/verify-email/1/altered')
  expect([visit.url, visit.flash]).toEqual(['/login', { error: flashWords.linkExpiredLogIn }])
})

test('the login page shows no message while a login waits for its code', async () => {
  const { browser, factor } = await waiting()
  const login = await browser.get('/login')
  const visit = await browser.post(challenge, { code: factor.code() })
  expect([login.component, login.flash, visit.user?.name]).toEqual(['Auth/Login', {}, 'Ann'])
})

test('a wrong code shows an error at its field, and the login keeps waiting', async () => {
  const { factor, browser } = await waiting()
  const code = await browser.post(challenge, { code: factor.wrong() })
  const recovery = await browser.post(challenge, { recovery_code: 'aaaaa-aaaaa' })
  const right = await browser.post(challenge, { code: factor.code() })
  expect([code.url, code.errors]).toEqual([challenge, { code: errorWords.wrongCode }])
  expect(recovery.errors).toEqual({ recovery_code: errorWords.wrongRecoveryCode })
  expect(right.user?.name).toBe('Ann')
})

test('a form without a code shows an error at its first field and counts as no try', async () => {
  const { factor, browser } = await waiting()
  const none = { recovery_code: '' }
  const forms: Record<string, string>[] = [
    {},
    { code: ' ' },
    none,
    { code: '', ...none },
    {},
    {},
    {},
  ]
  const errors: unknown[] = []
  for (const form of forms) errors.push((await browser.post(challenge, form)).errors)
  const right = await browser.post(challenge, { code: factor.code() })
  const code = { code: errorWords.codeMissing }
  expect(errors).toEqual([
    code,
    code,
    { recovery_code: errorWords.codeMissing },
    code,
    code,
    code,
    code,
  ])
  expect(right.user?.name).toBe('Ann')
})

test('a user may try five codes a minute from any address, and then even the right code is refused', async () => {
  const { app, factor, browser } = await waiting(await testApp(behindProxy))
  for (let i = 0; i < 5; i++)
    await browser.post(challenge, { code: factor.wrong() }, from(`192.0.2.${i}`))
  // Neither another login of Ann's nor her password typed once more resets the count.
  const other = await waitingBrowser(app)
  const right = await other.post(challenge, { code: factor.code() }, stay)
  const challengePage = await other.get(challenge)
  const recovery = await browser.post(challenge, { recovery_code: factor.codes[0] ?? '' })
  await app.pass({ minutes: 1 })
  const later = await other.post(challenge, { code: factor.code() })
  expect([right.status, right.headers['retry-after']]).toEqual([303, '60'])
  expect(challengePage.errors).toEqual({ code: tryAgainIn(60) })
  expect(recovery.errors).toEqual({ recovery_code: tryAgainIn(60) })
  expect(later.user?.name).toBe('Ann')
})

test('after a hundred wrong codes in a day even the right code is refused until the day is over', async () => {
  const { app, factor } = await waiting()
  for (let i = 0; i < 20; i++) {
    await app.pass({ minutes: 1 })
    const browser = await waitingBrowser(app)
    const wrong = () => browser.post(challenge, { code: factor.wrong() }, stay)
    await Promise.all([wrong(), wrong(), wrong(), wrong(), wrong()])
  }
  await app.pass({ minutes: 1 })
  const browser = await waitingBrowser(app)
  const visit = await browser.post(challenge, { code: factor.code() })
  await app.pass({ days: 1 })
  const next = await (await waitingBrowser(app)).post(challenge, { code: factor.code() })
  expect(visit.errors).toEqual({ code: tryAgainIn(24 * 60 * 60 - 20 * 60) })
  expect(next.user?.name).toBe('Ann')
})

test('of twenty simultaneous uses of one code by one waiting login, one logs in', async () => {
  const { app, factor, browser } = await waiting()
  const tabs = Array.from({ length: 20 }, () => copyOf(app, browser))
  const form = { code: factor.code() }
  const visits = await Promise.all(tabs.map((tab) => tab.post(challenge, form)))
  expect(isIn(visits)).toBe(1)
  expect(await allLogins(app.db)).toHaveLength(2)
})

test('of twenty waiting logins that use one code at once, one logs in', async () => {
  const { app, factor } = await waiting()
  const browsers: Browser[] = []
  for (let i = 0; i < 20; i++) browsers.push(await waitingBrowser(app))
  const form = { code: factor.code() }
  const visits = await Promise.all(browsers.map((browser) => browser.post(challenge, form)))
  expect(isIn(visits)).toBe(1)
  expect(await allLogins(app.db)).toHaveLength(2)
})

test('of twenty waiting logins that use one recovery code at once, one logs in', async () => {
  const { app, factor } = await waiting()
  const browsers: Browser[] = []
  for (let i = 0; i < 20; i++) browsers.push(await waitingBrowser(app))
  const form = { recovery_code: factor.codes[0] ?? '' }
  const visits = await Promise.all(browsers.map((browser) => browser.post(challenge, form)))
  expect(isIn(visits)).toBe(1)
})

test('of several right codes sent at once for one login, one is accepted and the others stay valid', async () => {
  const { app, factor, browser } = await waiting()
  const [first = '', second = '', third = ''] = factor.codes
  const recovery = [first, second, third].map((recovery_code) => ({ recovery_code }))
  const visits = await Promise.all([
    ...recovery.map((form) => copyOf(app, browser).post(challenge, form)),
    copyOf(app, browser).post(challenge, { code: factor.code() }),
  ])
  const left: (string | undefined)[] = []
  for (const form of recovery) {
    await app.pass({ minutes: 1 })
    left.push((await (await waitingBrowser(app)).post(challenge, form)).user?.name)
  }
  expect(isIn(visits)).toBe(1)
  // At most one of the three had the accepted code.
  expect(left.filter((name) => name === 'Ann').length).toBeGreaterThanOrEqual(2)
})

test('no code is accepted twice when the clock is moved back and forth', async () => {
  const { app, factor, browser } = await waiting()
  const code = factor.code()
  await browser.post(challenge, { code })
  const tries: unknown[] = []
  for (const hours of [-1, 1, 24, -24, -25, 25]) {
    await app.pass({ hours })
    const other = await waitingBrowser(app)
    tries.push((await other.post(challenge, { code })).user)
  }
  expect(tries).toEqual([null, null, null, null, null, null])
})

test('after the clock is set back, a code older than the last used one is refused', async () => {
  const { app, factor, browser } = await waiting()
  await app.pass({ minutes: 5 })
  await browser.post(challenge, { code: factor.code() })
  await app.pass({ minutes: -2 })
  const other = await waitingBrowser(app)
  const visit = await other.post(challenge, { code: factor.code() })
  expect(visit.errors).toEqual({ code: errorWords.wrongCode })
})

test('a session cookie from before the code cannot log in a second time and uses up no code', async () => {
  const { app, factor, browser } = await waiting()
  const kept = copyOf(app, browser)
  await browser.post(challenge, { code: factor.code() })
  await app.pass({ minutes: 1 })
  const visit = await kept.post(challenge, { code: factor.code() })
  expect([visit.url, visit.user]).toEqual(['/login', null])
  // The refused try has not used up the code.
  const other = await waitingBrowser(app)
  expect((await other.post(challenge, { code: factor.code() })).user?.name).toBe('Ann')
})

test('the second of two identical forms sets no cookie, so that the browser stays logged in', async () => {
  const { app, factor, browser } = await waiting()
  const second = copyOf(app, browser)
  // Long enough for the cookie to be sealed again.
  await app.pass({ minutes: 2 })
  const code = factor.code()
  await browser.post(challenge, { code })
  const answer = await second.post(challenge, { code }, stay)
  expect([answer.location, answer.headers['set-cookie']]).toEqual(['/login', undefined])
  expect((await browser.get('/login', stay)).location).toBe('/dashboard')
})

test('of five identical forms sent at once, one logs in and the others set no cookie', async () => {
  const { app, factor, browser } = await waiting()
  const tabs = Array.from({ length: 5 }, () => copyOf(app, browser))
  const code = factor.code()
  const answers = await Promise.all(tabs.map((tab) => tab.post(challenge, { code }, stay)))
  const first = answers.filter(({ location }) => location === '/dashboard')
  const others = answers.filter(({ headers }) => headers['set-cookie'] === undefined)
  expect([first.length, others.length]).toEqual([1, 4])
  expect(others.map(({ location }) => location)).toEqual(others.map(() => '/login'))
})

test('a password change ends a waiting login', async () => {
  const { app, own, factor, browser } = await waiting()
  const password = 'another horse'
  const form = { current_password: ann.password, password, password_confirmation: password }
  await own.post('/settings/password', { _method: 'PUT', ...form })
  const visit = await browser.post(challenge, { code: factor.code() })
  expect([visit.url, visit.user]).toEqual(['/login', null])
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('turning two-factor login off ends a waiting login', async () => {
  const { own, factor, browser } = await waiting()
  await own.post('/settings/two-factor', { _method: 'DELETE' })
  const visit = await browser.post(challenge, { recovery_code: factor.codes[0] ?? '' })
  expect([visit.url, visit.user]).toEqual(['/login', null])
})

test('a waiting login stays ended when two-factor login is turned off and on again', async () => {
  const { app, own, browser } = await waiting()
  await own.post('/settings/two-factor', { _method: 'DELETE' })
  const again = await turnOn(app, own)
  const visit = await browser.post(challenge, { code: again.code() })
  expect([visit.url, visit.user]).toEqual(['/login', null])
})

test('logging out every other browser ends a waiting login', async () => {
  const { own, factor, browser } = await waiting()
  await own.post('/settings/logins', { _method: 'DELETE' })
  const visit = await browser.post(challenge, { recovery_code: factor.codes[0] ?? '' })
  expect([visit.url, visit.user]).toEqual(['/login', null])
})

test('a waiting login of a deleted user is sent to log in', async () => {
  const { app, factor, browser } = await waiting()
  await deleteUsers(app.db)
  const opened = await browser.get(challenge)
  const visit = await browser.post(challenge, { code: factor.code() })
  expect([opened.url, visit.url]).toEqual(['/login', '/login'])
})

test('the code of one user does not log in another user', async () => {
  const { app, factor } = await waiting()
  const other = await turnOn(app, await verifiedBrowser(app, bob))
  const browser = app.browser()
  await logIn(browser, bob)
  const wrong = await browser.post(challenge, { code: factor.code() })
  const right = await browser.post(challenge, { code: other.code() })
  expect([wrong.user, right.user?.name]).toEqual([null, 'Bob'])
})

test('a code is not used up and its login keeps waiting when the login cannot be stored', async () => {
  const { app, factor, browser } = await waiting()
  await dropLogins(app.db)
  const [before] = await allUsers(app.db)
  const visit = await browser.post(challenge, { code: factor.code() }, stay)
  const [after] = await allUsers(app.db)
  expect(visit.status).toBe(500)
  expect(after?.twoFactorStep).toBe(before?.twoFactorStep)
  expect(await waitingLogins(app.db)).toHaveLength(1)
})

test('a code gets a 500 and logs nobody in when its try cannot be counted', async () => {
  const { app, factor, browser } = await waiting()
  await dropThrottles(app.db)
  const visit = await browser.post(challenge, { code: factor.code() }, stay)
  expect([visit.status, (await allLogins(app.db)).length]).toEqual([500, 1])
})

test('a failed code logs one line with address and reason, but no code or email', async () => {
  const { app, factor, browser } = await waiting(await testApp(behindProxy))
  const wrong = factor.wrong()
  await browser.post(challenge, { code: wrong }, from('192.0.2.1'))
  await browser.post(challenge, { recovery_code: 'aaaaa-aaaaa' }, from('192.0.2.2'))
  for (let i = 0; i < 4; i++) await browser.post(challenge, { code: wrong }, from('192.0.2.3'))
  const lines = app.logLines.filter(({ message }) => message === 'login failed')
  const ofCode = { reason: 'wrong code', user: 1, address: '192.0.2.3' }
  expect(lines.map(({ level, facts: { request: _id, ...facts } }) => [level, facts])).toEqual([
    ['warn', { reason: 'wrong code', user: 1, address: '192.0.2.1' }],
    ['warn', { reason: 'wrong recovery code', user: 1, address: '192.0.2.2' }],
    ['warn', ofCode],
    ['warn', ofCode],
    ['warn', ofCode],
    ['warn', { reason: 'too many tries', user: 1, address: '192.0.2.3' }],
  ])
  expect(JSON.stringify(app.logLines)).not.toMatch(new RegExp(`${wrong}|aaaaa-|ann@`))
})

test('a password reset still requires the code, and is not notified as a new login', async () => {
  const app = await testApp({ workers: true })
  const { factor } = await waiting(app)
  await app.outbox.nextTo(ann.email)
  const browser = app.browser()
  await browser.post('/forgot-password', { email: ann.email })
  const link = linkIn(await app.outbox.nextTo(ann.email))
  const [, token = ''] = /reset-password\/([^?]+)/.exec(link) ?? []
  const password = 'another horse'
  const form = { token, email: ann.email, password, password_confirmation: password }
  const set = await browser.post('/reset-password', form)
  const visit = await browser.post(challenge, { code: factor.code() })
  const kinds = (await allNotifications(app.db)).map(({ kind }) => kind)
  expect([set.url, set.user, set.flash]).toEqual([
    challenge,
    null,
    { success: flashWords.passwordSet },
  ])
  expect([visit.user?.name, kinds]).toEqual(['Ann', ['password-changed']])
})

test('a login with a code clears the page history when the browser’s previous login was ended elsewhere', async () => {
  const { app, own, factor } = await waiting()
  await deleteLogins(app.db)
  await own.post('/login', { email: ann.email, password: ann.password }, stay)
  await own.post(challenge, { code: factor.code() }, stay)
  expect((await own.get('/dashboard')).page.clearHistory).toBe(true)
})

test('another login in the same browser discards the waiting login', async () => {
  const { app, factor, browser } = await waiting()
  await registeredBrowser(app, bob)
  const before = copyOf(app, browser)
  const visit = await logIn(browser, bob)
  const challenged = await browser.get(challenge, stay)
  expect([visit.user?.name, challenged.location]).toEqual(['Bob', '/dashboard'])
  expect(sessionOf(app, browser)).not.toHaveProperty('waiting')
  expect(factor.codes).toHaveLength(8)
  const late = await before.post(challenge, { code: factor.code() })
  expect([late.user, await waitingLogins(app.db)]).toEqual([null, []])
})
