import { errorWords, tryAgainIn } from '#words/errors'
import { appName } from '../../../../web/contract/name.ts'
import { availableParallelism } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { flashWords } from '#words/flash'
import { throttleAddress } from '../../../base/network/address.ts'
import { standardHash } from '../../../base/password/password.ts'
import { readPhc } from '../../../base/password/phc.ts'
import { fullQueueOf, keepHashing, slowHash } from '../../../testing/hashing.ts'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  allLogins,
  allThrottles,
  allUsers,
  dropThrottles,
  setPasswordHash,
  deleteLogins,
} from '../../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type * as argon2 from '@node-rs/argon2'
import type { Browser } from '../../../testing/browser.ts'

const wrong = { ...ann, password: 'wrong horse' }

/** Ann with a hash made with less memory than ours. */
const older = {
  ...ann,
  password: 'password',
  hash: '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
}

/** Returns the contents of the browser's session cookie. */
function session(app: TestApp, browser: Browser): unknown {
  const sealed = app.keys.open('session', '', browser.cookies.get(`${appName}_session`) ?? '')
  return (JSON.parse(sealed?.text ?? '{}') as { session?: unknown }).session
}

async function emailErrors(
  tries: readonly Promise<{ errors: Readonly<Record<string, string>> }>[],
) {
  return (await Promise.all(tries)).map((visit) => visit.errors['email'])
}

test('GET /login shows the login page to a guest', async () => {
  const app = await testApp()
  const visit = await app.browser().get('/login')
  expect([visit.status, visit.component]).toEqual([200, 'Auth/Login'])
})

test('the right password logs in, stores a login row and redirects with a 303 to /dashboard', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await app.pass({ minutes: 5 })
  const { email, password } = ann
  const visit = await browser.post(
    '/login',
    { email, password },
    { stay: true, headers: { 'User-Agent': 'Firefox' } },
  )
  const home = await browser.get('/')
  expect([visit.status, visit.location, home.user?.name]).toEqual([303, '/dashboard', 'Ann'])
  expect(await allLogins(app.db)).toMatchObject([
    {},
    {
      userId: 1,
      userAgent: 'Firefox',
      address: '127.0.0.1',
      remember: false,
      loggedInAt: app.now(),
    },
  ])
})

test('the email of a login is accepted in another case, with surrounding spaces and with decomposed accents', async () => {
  const app = await testApp()
  await registeredBrowser(app, { ...ann, email: 'r\u00E9my@x.test' })
  const visit = await logIn(app.browser(), { ...ann, email: ' RE\u0301MY@x.TEST ' })
  expect(visit.user?.email).toBe('r\u00E9my@x.test')
})

test('an email with its domain in Unicode and the same email with it in ASCII belong to one account', async () => {
  const app = await testApp()
  for (const [typed, sent, kept] of [
    ['ann@bücher.test', 'ann@xn--bcher-kva.test', 'ann@bücher.test'],
    ['bob@xn--bcher-kva.test', 'bob@Bücher.test', 'bob@bücher.test'],
  ] as const) {
    await registeredBrowser(app, { ...ann, email: typed })
    const taken = await app.browser().validate('/register', { email: sent }, ['email'])
    expect(taken.json).toEqual({ errors: { email: errorWords.taken } })
    const browser = app.browser()
    await logIn(browser, { ...ann, email: sent })
    expect((await browser.get('/settings/profile')).user?.email).toBe(kept)
  }
})

test('a login leads to the page that the guest wanted, and the next login to the dashboard', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await browser.get('/verify-email?x=1')
  const first = await logIn(browser, ann)
  await browser.post('/logout')
  const second = await browser.post(
    '/login',
    { email: ann.email, password: ann.password },
    { stay: true },
  )
  expect([first.url, second.location]).toEqual(['/verify-email?x=1', '/dashboard'])
})

test('a wrong password and an unknown email get the same answer', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const known = await logIn(app.browser(), wrong)
  const unknown = await logIn(app.browser(), bob)
  expect(known.errors).toEqual({ email: 'This email and password do not match an account.' })
  expect([unknown.status, unknown.url, unknown.errors]).toEqual([
    known.status,
    known.url,
    known.errors,
  ])
  expect([known.user, unknown.user]).toEqual([null, null])
})

test('a wrong password and an unknown email get the same JSON answer', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const known = await app.browser().postJson('/login', wrong)
  const unknown = await app.browser().postJson('/login', bob)
  expect([known.status, known.json]).toEqual([
    422,
    { message: errorWords.invalid, errors: { email: errorWords.wrongLogin } },
  ])
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
})

test('an email with a NUL character gets the same error as an unknown email', async () => {
  const app = await testApp()
  for (const email of ['a\0b@x.test', `${'a'.repeat(600)}\0@x.test`]) {
    const visit = await app.browser().post('/login', { email, password: 'a password' })
    expect(visit.errors).toEqual({ email: errorWords.wrongLogin })
  }
})

test('a wrong password, an unknown email and an account without a password each require a hash', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  keepHashing(app, fullQueueOf('127.0.0.1'))
  const known = await logIn(app.browser(), wrong)
  const unknown = await logIn(app.browser(), bob)
  await setPasswordHash(app.db, '')
  const withNone = await logIn(app.browser(), ann)
  expect([known.status, unknown.status, withNone.status]).toEqual([503, 503, 503])
})

/** Collects the hashes that apps opened after this check passwords against. */
function checkedHashes(): string[] {
  const hashes: string[] = []
  vi.doMock('@node-rs/argon2', async (original) => {
    const actual = await original<typeof argon2>()
    const verify: typeof actual.verify = (...args) => {
      hashes.push(String(args[0]))
      return actual.verify(...args)
    }
    return { ...actual, verify }
  })
  onTestFinished(() => vi.doUnmock('@node-rs/argon2'))
  return hashes
}

test('an unknown email and an account without a password are checked against a hash of the standard cost', async () => {
  const hashes = checkedHashes()
  const app = await testApp({ hashing: 'as served' })
  await registeredBrowser(app, ann)
  await logIn(app.browser(), wrong)
  await logIn(app.browser(), bob)
  await setPasswordHash(app.db, '')
  await logIn(app.browser(), ann)
  expect(hashes).toHaveLength(3)
  expect(hashes.map((hash) => readPhc(hash))).toEqual(
    hashes.map(() => ({ settings: standardHash })),
  )
})

test('an account without a password is matched by no password and gets the error of an unknown email', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await setPasswordHash(app.db, '')
  const visit = await logIn(app.browser(), ann)
  const empty = await logIn(app.browser(), { ...ann, password: '' })
  expect(visit.errors).toEqual({ email: errorWords.wrongLogin })
  expect(empty.errors).toEqual({ password: errorWords.required })
  expect(app.logLines.filter(({ message }) => message.includes('hash'))).toEqual([])
})

test('a hash of bcrypt or argon2i, or one that needs over 4 GiB, matches no password and logs a warning', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const tryWith = async (hash: string) => {
    await setPasswordHash(app.db, hash)
    return (await logIn(app.browser(), older)).errors['email']
  }
  const bcrypt = await tryWith('$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy')
  const argon2i = await tryWith(
    '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8',
  )
  const huge = await tryWith(older.hash.replace('m=256', 'm=4194305'))
  const logLines = app.logLines.filter(
    ({ message }) => message === 'a password hash matches no password',
  )
  expect([bcrypt, argon2i, huge]).toEqual([
    errorWords.wrongLogin,
    errorWords.wrongLogin,
    errorWords.wrongLogin,
  ])
  expect(logLines.map(({ level, facts }) => [level, facts['reason']])).toEqual([
    ['warn', 'it is not argon2id'],
    ['warn', 'it is not argon2id'],
    ['warn', 'it asks for over 4 GiB of memory'],
  ])
})

test('a login with a hash of older settings replaces the hash and ends the account’s other logins', async () => {
  const app = await testApp({ hashing: 'as served' })
  await registeredBrowser(app, ann)
  await setPasswordHash(app.db, older.hash)
  const other = app.browser()
  await logIn(other, older)
  await setPasswordHash(app.db, older.hash)
  const early = await other.get('/')
  const browser = app.browser()
  const visit = await logIn(browser, older)
  const [user] = await allUsers(app.db)
  expect(early.user).toBe(null)
  expect(visit.user?.name).toBe('Ann')
  expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await allLogins(app.db)).toHaveLength(1)
  expect((await logIn(app.browser(), older)).user?.name).toBe('Ann')
  expect((await browser.get('/')).user?.name).toBe('Ann')
  expect((await allUsers(app.db))[0]?.passwordHash).toBe(user?.passwordHash)
})

test('five tries a minute are checked, and the sixth gets an error with the wait', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await browser.get('/login')
  const five = [wrong, wrong, wrong, wrong, wrong].map((tried) => logIn(app.browser(), tried))
  const checked = await emailErrors(five)
  await app.pass({ seconds: 15 })
  const { email, password } = ann
  const sixth = await browser.post('/login', { email, password }, { stay: true })
  const back = await browser.get('/login')
  expect(new Set(checked)).toEqual(new Set([errorWords.wrongLogin]))
  expect([sixth.status, sixth.location, sixth.headers['retry-after']]).toEqual([
    303,
    '/login',
    '45',
  ])
  expect(back.errors).toEqual({ email: 'Too many tries. Try again in 45 seconds.' })
})

test('a JSON client gets the wait after too many tries', async () => {
  const app = await testApp()
  await Promise.all([1, 2, 3, 4, 5].map(() => logIn(app.browser(), ann)))
  const sixth = await app.browser().postJson('/login', ann)
  expect([sixth.status, sixth.headers['retry-after']]).toEqual([422, '60'])
  expect(sixth.json).toEqual({
    message: errorWords.invalid,
    errors: { email: 'Too many tries. Try again in 60 seconds.' },
  })
})

test('tries for an unknown email are counted like those for a known email', async () => {
  const app = await testApp()
  await Promise.all([1, 2, 3, 4, 5].map(() => logIn(app.browser(), bob)))
  const sixth = await logIn(app.browser(), bob)
  expect(sixth.errors['email']).toBe('Too many tries. Try again in 60 seconds.')
})

test('of twenty simultaneous tries, five are checked and fifteen are refused', async () => {
  const app = await testApp({ hashing: 'as served' })
  await registeredBrowser(app, ann)
  const errors = await emailErrors(Array.from({ length: 20 }, () => logIn(app.browser(), wrong)))
  expect(errors.filter((error) => error === errorWords.wrongLogin)).toHaveLength(5)
  expect(errors.filter((error) => error === tryAgainIn(60))).toHaveLength(15)
})

test('a refused try counts, but does not move the end of the window', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const endsAt = new Date(app.now().getTime() + 60_000)
  await Promise.all([1, 2, 3, 4, 5].map(() => logIn(app.browser(), wrong)))
  const checked = await allThrottles(app.db)
  await app.pass({ seconds: 59 })
  const last = await logIn(app.browser(), ann)
  const counted = await allThrottles(app.db)
  await app.pass({ seconds: 1 })
  const next = await logIn(app.browser(), ann)
  expect(checked).toContainEqual({ key: expect.anything(), tries: 5, endsAt })
  expect(counted).toContainEqual({ key: expect.anything(), tries: 6, endsAt })
  expect([last.errors['email'], next.user?.name]).toEqual([tryAgainIn(1), 'Ann'])
})

test('tries are counted by email and address, and another email or another address is not affected', async () => {
  const app = await testApp(behindProxy)
  await registeredBrowser(app, ann)
  await registeredBrowser(app, bob)
  const here = from('192.0.2.1')
  await Promise.all([1, 2, 3, 4, 5].map(() => logIn(app.browser(), wrong, here)))
  const turned = await logIn(app.browser(), ann, here)
  const elsewhere = await logIn(app.browser(), ann, from('192.0.2.2'))
  const another = await logIn(app.browser(), bob, here)
  expect(turned.errors['email']).toBe(tryAgainIn(60))
  expect([elsewhere.user?.name, another.user?.name]).toEqual(['Ann', 'Bob'])
})

test('tries are counted together for every case of an email and every encoding of its accents', async () => {
  const app = await testApp()
  const emails = [
    '\u00E9@x.test',
    '\u00C9@x.test',
    'e\u0301@X.test',
    ' \u00E9@x.test',
    '\u00E9@X.TEST',
    'E\u0301@x.test',
  ]
  const errors: (string | undefined)[] = []
  for (const email of emails)
    errors.push((await logIn(app.browser(), { ...ann, email })).errors['email'])
  expect(errors.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => errorWords.wrongLogin))
  expect(errors[5]).toBe(tryAgainIn(60))
})

test('tries from IPv6 addresses are counted by their /64', async () => {
  const app = await testApp(behindProxy)
  await registeredBrowser(app, ann)
  const hosts = ['::1', ':1:2:3:4', '::', ':ffff:ffff:ffff:ffff', ':0:0:1:1']
  await Promise.all(hosts.map((host) => logIn(app.browser(), wrong, from(`2001:db8:0:7${host}`))))
  const same = await logIn(app.browser(), ann, from('2001:DB8:0:7:9::9'))
  const next = await logIn(app.browser(), ann, from('2001:db8:0:8::1'))
  expect([same.errors['email'], next.user?.name]).toEqual([tryAgainIn(60), 'Ann'])
})

test('a successful login clears the tries', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await Promise.all([1, 2, 3, 4].map(() => logIn(app.browser(), wrong)))
  await logIn(app.browser(), ann)
  const errors = await emailErrors([1, 2, 3, 4, 5].map(() => logIn(app.browser(), wrong)))
  expect(new Set(errors)).toEqual(new Set([errorWords.wrongLogin]))
})

test('a try is not counted when it is refused because too many passwords wait to be hashed', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const hashing = keepHashing(app, fullQueueOf('127.0.0.1'))
  const busy = await Promise.all(Array.from({ length: 5 }, () => logIn(app.browser(), ann)))
  await hashing.stop()
  const visit = await logIn(app.browser(), ann)
  expect(busy.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
  expect([visit.errors, visit.user?.email]).toEqual([{}, ann.email])
})

test('a restart does not clear the tries', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await Promise.all([1, 2, 3, 4, 5].map(() => logIn(app.browser(), wrong)))
  const again = await testApp({ config: app.config })
  const visit = await logIn(again.browser(), ann)
  expect(visit.errors['email']).toBe(tryAgainIn(60))
})

test('a login gets a 500 and logs nobody in when its throttle cannot be counted', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await dropThrottles(app.db)
  const browser = app.browser()
  const visit = await logIn(browser, ann)
  const after = await browser.get('/')
  expect([visit.status, visit.component, after.user]).toEqual([500, 'Error', null])
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('a login with remember lasts 30 days without a visit, and each visit restarts them', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  const { email, password } = ann
  const sent = await browser.post('/login', { email, password, remember: 'on' }, { stay: true })
  await app.pass({ days: 29 })
  const once = await browser.get('/')
  await app.pass({ days: 29 })
  const twice = await browser.get('/')
  await app.pass({ days: 31 })
  const over = await browser.get('/')
  expect(sent.headers['set-cookie']?.join()).toContain(`Max-Age=${30 * 24 * 60 * 60}`)
  expect([once.user?.name, twice.user?.name, over.user]).toEqual(['Ann', 'Ann', null])
})

test('a login without remember lasts 2 hours without a visit', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await logIn(browser, ann)
  await app.pass({ hours: 1, minutes: 59 })
  const within = await browser.get('/')
  await app.pass({ hours: 2, minutes: 1 })
  const over = await browser.get('/')
  expect([within.user?.name, over.user]).toEqual(['Ann', null])
})

test('remember is true for the form value on and for true in JSON, and false for any other value', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const { email, password } = ann
  const tell = async (remember: unknown) => {
    await app.pass({ seconds: 1 })
    await app.browser().postJson('/login', { email, password, remember })
    return (await allLogins(app.db)).at(-1)?.remember
  }
  const remembered = [
    await tell(true),
    await tell('on'),
    await tell(false),
    await tell('false'),
    await tell(null),
  ]
  expect(remembered).toEqual([true, true, false, false, false])
})

test('a login empties the session, except for the unread flash and the pending clearing of the history', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.post('/logout', {}, { stay: true })
  await browser.get('/verify-email', { stay: true })
  await browser.document('/login', { email: ann.email, password: 'wrong' }, { stay: true })
  const before = session(app, browser)
  await browser.post('/login', { email: ann.email, password: ann.password }, { stay: true })
  const after = session(app, browser)
  const flash = { success: flashWords.loggedOut }
  expect(before).toMatchObject({
    flash,
    wanted: '/verify-email',
    errors: { email: errorWords.wrongLogin },
  })
  expect(after).toEqual({
    flash,
    clearHistory: true,
    confirmedAt: app.now().getTime(),
    login: {
      id: expect.stringMatching(/^[a-z2-7]{26}$/),
      userId: 1,
      fingerprint: expect.any(String),
      remember: false,
    },
  })
})

test('a copy of the session cookie from before the login is not logged in by it', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const planted = app.browser()
  await planted.get('/verify-email', { stay: true })
  const browser = app.browser()
  for (const [name, value] of planted.cookies) browser.cookies.set(name, value)
  const visit = await logIn(browser, ann)
  const thief = await planted.get('/')
  expect([visit.user?.name, thief.user]).toEqual(['Ann', null])
})

test('each login has an ID of its own', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await Promise.all([logIn(app.browser(), ann), logIn(app.browser(), ann)])
  const keys = (await allLogins(app.db)).map(({ key }) => key.toString('hex'))
  expect(new Set(keys).size).toBe(3)
})

test('a logged-in user who opens or submits the login form goes to the dashboard', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.get('/login', { stay: true })
  const sent = await browser.post('/login', { email: ann.email, password: 'wrong' }, { stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/dashboard'])
  expect([sent.status, sent.location]).toEqual([303, '/dashboard'])
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('a login without email and password gets an error at each field', async () => {
  const app = await testApp()
  const visit = await app.browser().postJson('/login', {})
  expect(visit.json).toEqual({
    message: errorWords.invalid,
    errors: { email: errorWords.required, password: errorWords.required },
  })
})

test('a login or registration gets a 503 with Retry-After when too many passwords of its address wait to be hashed', async () => {
  const app = await testApp(behindProxy)
  keepHashing(app, fullQueueOf('192.0.2.1'))
  const visit = await logIn(app.browser(), ann, from('192.0.2.1'))
  const form = { ...bob, password_confirmation: bob.password }
  const signing = await app.browser().post('/register', form, from('192.0.2.1'))
  expect([visit.status, visit.component, visit.headers['retry-after']]).toEqual([503, 'Error', '1'])
  expect([signing.status, signing.headers['retry-after']]).toEqual([503, '1'])
  expect(await allUsers(app.db)).toEqual([])
})

test('passwords that wait to be hashed are counted by the /64 of an IPv6 address', async () => {
  const app = await testApp(behindProxy)
  keepHashing(app, fullQueueOf(throttleAddress('2001:db8:0:1::1')))
  const same = await logIn(app.browser(), ann, from('2001:db8:0:1::2'))
  const form = { ...bob, password_confirmation: bob.password }
  const signing = await app.browser().post('/register', form, from('2001:db8:0:1::3'))
  expect([same.status, signing.status]).toEqual([503, 503])
})

test('a password of an address with none waiting is hashed while another address has too many', async () => {
  const app = await testApp(behindProxy)
  const held = fullQueueOf('192.0.2.1').map((by) => app.passwords.checkPassword(slowHash, '', by))
  const visit = await logIn(app.browser(), ann, from('192.0.2.2'))
  expect(visit.errors['email']).toBe(errorWords.wrongLogin)
  await Promise.all(held)
})

test('at most 32 passwords in total wait to be hashed', async () => {
  const app = await testApp(behindProxy)
  const addresses = Array.from({ length: availableParallelism() + 32 }, (_, at) => `10.0.0.${at}`)
  keepHashing(app, addresses)
  const visit = await logIn(app.browser(), ann, from('192.0.2.99'))
  expect([visit.status, visit.headers['retry-after']]).toEqual([503, '1'])
})

test('a failed login logs one line with address and reason, but no email or password', async () => {
  const app = await testApp(behindProxy)
  await Promise.all([1, 2, 3, 4, 5].map(() => logIn(app.browser(), wrong, from('192.0.2.1'))))
  await logIn(app.browser(), wrong, from('192.0.2.1'))
  const logLines = app.logLines.filter(({ message }) => message === 'login failed')
  const request = expect.any(String)
  expect(logLines).toHaveLength(6)
  expect(logLines[0]).toEqual({
    level: 'warn',
    message: 'login failed',
    facts: { address: '192.0.2.1', reason: 'wrong email or password', request },
  })
  expect(logLines[5]?.facts).toEqual({ address: '192.0.2.1', reason: 'too many tries', request })
  expect(JSON.stringify(app.logLines)).not.toMatch(/ann@|horse/)
})

test('a login in a browser whose previous login was ended elsewhere clears the page history', async () => {
  const app = await testApp()
  await registeredBrowser(app, bob)
  const browser = await registeredBrowser(app, ann)
  await deleteLogins(app.db)
  const visit = await logIn(browser, bob)
  expect(visit.user?.name).toBe('Bob')
  expect(visit.page.clearHistory).toBe(true)
})
