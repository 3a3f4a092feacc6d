import { errorWords } from '#words/errors'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  ann,
  behindProxy,
  bob,
  from,
  logIn,
  registeredBrowser,
  registration,
} from '../../../testing/people.ts'
import { allLogins, allUsers } from '../../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import { confirmedUsers } from '../../guards.ts'
import { routes } from '../../routes.ts'
import { appName } from '../../../../web/contract/name.ts'
import { showHome } from '../home.ts'

/** Validates one field of the register form with this value: returns its error, or `good`. */
async function judged(app: TestApp, field: string, value: string): Promise<unknown> {
  const fields = { ...registration(ann), [field]: value }
  const visit = await app.browser().validate('/register', fields, [field])
  return visit.status === 204
    ? 'good'
    : (visit.json as { errors: Record<string, string> }).errors[field]
}

/** Returns those of `emails` that the form judges otherwise. */
async function otherwiseJudged(app: TestApp, emails: readonly string[], verdict: string) {
  const wrong: string[] = []
  for (const email of emails) {
    const actual = await judged(app, 'email', email)
    if (actual !== verdict) wrong.push(email)
  }
  return wrong
}

test('GET /register shows the register page to a guest', async () => {
  const app = await testApp()
  const visit = await app.browser().get('/register')
  expect([visit.status, visit.component, visit.errors]).toEqual([200, 'Auth/Register', {}])
})

test('registering stores the account with an argon2id hash of 19456 KiB, 2 passes and 1 thread', async () => {
  const app = await testApp({ hashing: 'as served' })
  await registeredBrowser(app, ann)
  const [user, ...others] = await allUsers(app.db)
  expect(user).toMatchObject({
    name: 'Ann',
    email: 'ann@x.test',
    emailVerifiedAt: null,
    createdAt: app.now(),
  })
  expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(others).toEqual([])
})

test('registering redirects with a 303 to /dashboard, which sends an unverified user to the verify page', async () => {
  const app = await testApp()
  const browser = app.browser()
  const made = await browser.post('/register', registration(ann), { stay: true })
  const sent = await browser.get('/dashboard')
  expect([made.status, made.location]).toEqual([303, '/dashboard'])
  expect([sent.url, sent.component, sent.page.props]).toMatchObject([
    '/verify-email',
    'Auth/VerifyEmail',
    { email: 'ann@x.test', auth: { user: { name: 'Ann', emailVerifiedAt: null, password: true } } },
  ])
})

test('a registration sent as JSON is answered with the redirect as JSON', async () => {
  const app = await testApp()
  const visit = await app.browser().postJson('/register', registration(ann))
  expect([visit.status, visit.json]).toEqual([200, { redirect: '/dashboard' }])
})

test('registering stores a login with the address and the first 512 bytes of the User-Agent', async () => {
  const app = await testApp(behindProxy)
  const headers = { 'User-Agent': 'x'.repeat(600), 'X-Forwarded-For': '2001:db8::7' }
  await app.browser().post('/register', registration(ann), { headers })
  const [user] = await allUsers(app.db)
  expect(await allLogins(app.db)).toMatchObject([
    { userId: user?.id, address: '2001:db8::7', userAgent: 'x'.repeat(512), remember: false },
  ])
})

test('the stored User-Agent leaves out a character that the limit of 512 bytes would cut in two', async () => {
  const app = await testApp()
  const sent = Buffer.from(`x${'é'.repeat(300)}`).toString('latin1')
  await app.browser().post('/register', registration(ann), { headers: { 'User-Agent': sent } })
  const [login] = await allLogins(app.db)
  expect(login?.userAgent).toBe(`x${'é'.repeat(255)}`)
})

test('registering counts as a password confirmation', async () => {
  const others = routes.filter((route) => route.name !== 'dashboard')
  const app = await testApp({
    routes: [
      ...others,
      { method: 'GET', name: 'dashboard', who: confirmedUsers, handler: showHome },
    ],
  })
  const browser = await registeredBrowser(app, ann)
  const atOnce = await browser.get('/dashboard')
  await app.pass({ hours: 1.9 })
  await browser.get('/')
  await app.pass({ hours: 1.2 })
  const later = await browser.get('/dashboard', { stay: true })
  expect(atOnce.component).toBe('Home')
  expect(later.location).toBe('/confirm-password')
})

test('an invalid form redirects back with a 303 and an error for each field', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.get('/register')
  const failed = await browser.post('/register', {}, { stay: true })
  const back = await browser.get('/register')
  expect([failed.status, failed.location]).toEqual([303, '/register'])
  expect(back.errors).toEqual({
    name: errorWords.required,
    email: errorWords.required,
    password: errorWords.required,
    password_confirmation: errorWords.required,
  })
  expect(await allUsers(app.db)).toEqual([])
})

test('an invalid form sent as JSON gets a 422 with a message and the errors', async () => {
  const app = await testApp()
  const visit = await app
    .browser()
    .postJson('/register', { ...registration(ann), password: 'short' })
  expect(visit.status).toBe(422)
  expect(visit.json).toEqual({
    message: errorWords.invalid,
    errors: {
      password: errorWords.passwordShort,
      password_confirmation: errorWords.passwordMismatch,
    },
  })
})

test('a password has 8 to 200 characters', async () => {
  const app = await testApp()
  const lengths = [7, 8, 200, 201]
  const verdicts = await Promise.all(
    lengths.map((length) => judged(app, 'password', 'x'.repeat(length))),
  )
  expect(verdicts).toEqual([errorWords.passwordShort, 'good', 'good', errorWords.passwordLong])
})

test('the characters of a password are counted as code points', async () => {
  const app = await testApp()
  const lengths = [7, 8, 200, 201]
  const verdicts = await Promise.all(
    lengths.map((length) => judged(app, 'password', '🦜'.repeat(length))),
  )
  expect(verdicts).toEqual([errorWords.passwordShort, 'good', 'good', errorWords.passwordLong])
})

test('a password may consist of spaces only', async () => {
  const app = await testApp()
  const spaces = { ...ann, password: ' '.repeat(8) }
  await registeredBrowser(app, spaces)
  const visit = await logIn(app.browser(), spaces)
  expect(visit.user?.email).toBe('ann@x.test')
})

test('the spaces around a password are part of it', async () => {
  const app = await testApp()
  const spaced = { ...ann, password: '  correct horse ' }
  await registeredBrowser(app, spaced)
  const trimmed = await logIn(app.browser(), { ...spaced, password: spaced.password.trim() })
  const typed = await logIn(app.browser(), spaced)
  expect([trimmed.errors['email'], typed.user?.name]).toEqual([errorWords.wrongLogin, 'Ann'])
})

test('a password is not normalised', async () => {
  const app = await testApp()
  const composed = { ...ann, password: 'caf\u00E9 au lait' }
  await registeredBrowser(app, composed)
  const apart = await logIn(app.browser(), { ...composed, password: 'cafe\u0301 au lait' })
  const typed = await logIn(app.browser(), composed)
  expect([apart.errors['email'], typed.user?.name]).toEqual([errorWords.wrongLogin, 'Ann'])
})

test('a password with unpaired surrogates gets a 400', async () => {
  const app = await testApp()
  const half = { ...registration(ann), password: '\uD800'.repeat(8) }
  const visit = await app.browser().postJson('/register', half)
  expect(visit.status).toBe(400)
  expect(await allUsers(app.db)).toEqual([])
})

test('the repeated password must match exactly, with its spaces, case and accents', async () => {
  const app = await testApp()
  const typed = ['correct horse ', 'Correct horse', 'correct hors\u00E9', 'correct horse']
  const verdicts = await Promise.all(
    typed.map((again) => judged(app, 'password_confirmation', again)),
  )
  const { passwordMismatch: mismatch } = errorWords
  expect(verdicts).toEqual([mismatch, mismatch, mismatch, 'good'])
})

test('a name has 1 to 200 characters, and no control characters or hidden text', async () => {
  const app = await testApp()
  const names = [
    '',
    '   ',
    'a\u0000b',
    'a\r\nBcc: b',
    'a\u2028b',
    '\u2029',
    'a\u202eb',
    '\u200b',
    // A joiner, a filler and a blank: all invisible.
    '\u200d',
    '\u3164\u115f',
    '\u2800 \u2800',
    // Text hidden behind a flag.
    '🏴\u{e0041}\u{e006e}\u{e006e}\u{e007f}',
    'a\u200db',
    'Harry 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '🦜'.repeat(200),
    '🦜'.repeat(201),
  ]
  const verdicts = await Promise.all(names.map((name) => judged(app, 'name', name)))
  const { required, control, nameLong } = errorWords
  expect(verdicts).toEqual([
    required,
    required,
    ...Array.from({ length: 10 }, () => control),
    'good',
    'good',
    'good',
    nameLong,
  ])
})

test('the spaces around a name and an email are removed', async () => {
  const app = await testApp()
  await registeredBrowser(app, { ...ann, name: ' Ann\u00A0', email: '\u3000ann@x.test\t' })
  const [user] = await allUsers(app.db)
  expect([user?.name, user?.email]).toEqual(['Ann', 'ann@x.test'])
})

test('an email is a single address without control characters, comments and quotes', async () => {
  const app = await testApp()
  const bad = [
    'a',
    'a@',
    '@x.test',
    'a@x',
    'a@@x.test',
    'a@x.test,b@x.test',
    'a@x.test b@x.test',
    '<a@x.test>',
  ]
  const sly = [
    '"a b"@x.test',
    'a@x.test(b)',
    'a@x.test\r\nBcc: b@x.test',
    'a@x.test\n',
    'a\u0000@x.test',
    'a@x.test\u2028',
  ]
  expect(await otherwiseJudged(app, [...bad, ...sly], errorWords.email)).toEqual([])
})

test('an email has at most 254 characters', async () => {
  const app = await testApp()
  const domain = `${'d'.repeat(60)}.`.repeat(4)
  const verdicts = [await judged(app, 'email', `${'a'.repeat(5)}@${domain}test`)]
  verdicts.push(await judged(app, 'email', `${'a'.repeat(6)}@${domain}test`))
  expect(verdicts).toEqual(['good', errorWords.emailLong])
})

test('an email is stored as typed, in NFC', async () => {
  const app = await testApp()
  await registeredBrowser(app, { ...ann, email: 'Re\u0301my.B+c@X.test' })
  const [user] = await allUsers(app.db)
  expect(user?.email).toBe('R\u00E9my.B+c@X.test')
})

const cases = new URL('../../../../../shared/vectors/email-cases.json', import.meta.url)

interface EmailCases {
  readonly accept: readonly string[]
  readonly refuse: readonly string[]
}

test.runIf(existsSync(cases))(
  'the shared email cases are accepted and refused as they say',
  async () => {
    const app = await testApp()
    const { accept, refuse } = JSON.parse(readFileSync(cases, 'utf8')) as EmailCases
    const [empty, ...filled] = refuse
    expect(await otherwiseJudged(app, accept, 'good')).toEqual([])
    expect(await otherwiseJudged(app, filled, errorWords.email)).toEqual([])
    expect(await judged(app, 'email', empty ?? 'none')).toBe(errorWords.required)
  },
)

test('a taken email shows an error in any case and with any encoding of its accents', async () => {
  const app = await testApp()
  await registeredBrowser(app, { ...ann, email: 'R\u00E9my@x.test' })
  const emails = ['R\u00E9my@x.test', 'r\u00C9MY@X.TEST', 're\u0301my@x.test']
  expect(await otherwiseJudged(app, emails, errorWords.taken)).toEqual([])
  expect(await judged(app, 'email', 'remy@x.test')).toBe('good')
})

test('letters that look alike make different emails, and letters that are equal in lower case make the same one', async () => {
  const app = await testApp()
  await registeredBrowser(app, { ...ann, email: 'mike@x.test' })
  expect(await judged(app, 'email', 'm\u0131ke@x.test')).toBe('good')
  expect(await judged(app, 'email', 'm\u0130ke@x.test')).toBe('good')
  expect(await judged(app, 'email', 'mi\u212Ae@x.test')).toBe(errorWords.taken)
  expect(await judged(app, 'email', 'mike\uFF20x.test')).toBe(errorWords.email)
})

test('a validation-only request reports a taken email and stores nothing', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const visit = await app.browser().validate('/register', { email: 'Ann@X.test' }, ['email'])
  const free = await app.browser().validate('/register', registration(bob))
  expect([visit.status, visit.headers['x-page-validate-only'], visit.json]).toEqual([
    422,
    'true',
    { errors: { email: errorWords.taken } },
  ])
  expect([free.status, free.headers['x-page-validate-only']]).toEqual([204, 'true'])
  expect(await allUsers(app.db)).toHaveLength(1)
})

test('twenty simultaneous registrations of one email create one account, and the others get the taken-email error', async () => {
  const app = await testApp(behindProxy)
  const visits = await Promise.all(
    Array.from({ length: 20 }, (_, at) => {
      const email = at % 2 === 0 ? 'ann@x.test' : 'ANN@x.test'
      return app.browser().post('/register', registration({ ...ann, email }), from(`192.0.2.${at}`))
    }),
  )
  const errors = visits.map((visit) => visit.errors['email'])
  expect(visits.filter((visit) => visit.user)).toHaveLength(1)
  expect(errors.filter((error) => error === errorWords.taken)).toHaveLength(19)
  expect(await allUsers(app.db)).toHaveLength(1)
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('registrations and validation-only requests share a limit of 30 email checks a minute for an address', async () => {
  const app = await testApp(behindProxy)
  const browser = app.browser()
  await browser.get('/register', from('192.0.2.1'))
  const looks = Array.from({ length: 30 }, () =>
    browser.send('POST', '/register', {
      body: 'email=ann%40x.test',
      type: 'application/x-www-form-urlencoded',
      headers: { 'X-Page-Validate-Only': 'email', 'X-Forwarded-For': '192.0.2.1' },
    }),
  )
  const statuses = (await Promise.all(looks)).map((visit) => visit.status)
  await app.pass({ seconds: 20 })
  const form = registration(bob)
  const sent = await browser.post('/register', form, { ...from('192.0.2.1'), stay: true })
  const back = await browser.get('/register', from('192.0.2.1'))
  const elsewhere = await browser.post('/register', form, from('192.0.2.2'))
  expect(new Set(statuses)).toEqual(new Set([204]))
  expect([sent.status, sent.location, sent.headers['retry-after']]).toEqual([
    303,
    '/register',
    '40',
  ])
  expect(back.errors).toEqual({ email: 'Too many tries. Try again in 40 seconds.' })
  expect(elsewhere.user?.name).toBe('Bob')
})

test('the addresses in an IPv6 /64 share their email checks', async () => {
  const app = await testApp(behindProxy)
  const look = (address: string) =>
    app.browser().send('POST', '/register', {
      body: 'email=ann%40x.test',
      type: 'application/x-www-form-urlencoded',
      headers: { 'X-Page-Validate-Only': 'email', 'X-Forwarded-For': address },
    })
  await Promise.all(Array.from({ length: 30 }, (_, i) => look(`2001:db8::${i}`)))
  const [same, other] = [await look('2001:db8::ffff'), await look('2001:db8:0:1::')]
  expect([same.status, other.status]).toEqual([422, 204])
})

test('the 31st email check gets the wait and does not reveal whether the email is taken', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const looks = Array.from({ length: 29 }, () => judged(app, 'email', 'ann@x.test'))
  const before = await Promise.all(looks)
  const taken = await app.browser().validate('/register', { email: 'ann@x.test' }, ['email'])
  const free = await app.browser().postJson('/register', registration(bob))
  await app.pass({ minutes: 1 })
  const after = await judged(app, 'email', 'ann@x.test')
  const wait = { email: 'Too many tries. Try again in 60 seconds.' }
  expect(new Set(before)).toEqual(new Set([errorWords.taken]))
  expect([taken.status, taken.headers['retry-after'], taken.json]).toEqual([
    422,
    '60',
    { errors: wait },
  ])
  expect([free.status, free.headers['retry-after']]).toEqual([422, '60'])
  expect(free.json).toEqual({ message: errorWords.invalid, errors: wait })
  expect(after).toBe(errorWords.taken)
})

test('a logged-in user who opens or submits the register form goes to the dashboard', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.get('/register', { stay: true })
  const sent = await browser.post('/register', registration(bob), { stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/dashboard'])
  expect([sent.status, sent.location]).toEqual([303, '/dashboard'])
  expect(await allUsers(app.db)).toHaveLength(1)
})

test('the answers and the log of a registration contain no password and no hash', async () => {
  const app = await testApp()
  const browser = app.browser()
  const failed = await browser.document('/register', { ...registration(ann), email: 'no email' })
  const visit = await browser.document('/register', registration(ann))
  const output = failed.body + visit.body + JSON.stringify(app.logLines)
  expect(failed.page.props['old']).toEqual({ name: 'Ann', email: 'no email' })
  expect(output).not.toContain(ann.password)
  expect(output).not.toContain('argon2')
})

test('a plain form sent again after it created the account sets no session cookie and leaves the browser logged in', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.document('/register')
  const before = new Map(browser.cookies)
  await browser.document('/register', registration(ann), { stay: true })
  const loggedIn = new Map(browser.cookies)
  const form = `${appName}_form`
  // The second form was sent with the cookies from before the first answer.
  const second = app.browser()
  for (const [name, value] of before) second.cookies.set(name, value)
  const visit = await second.document('/register', registration(ann), { stay: true })
  // The browser gets the second answer, with its only cookie, after the first.
  browser.cookies.set(form, second.cookies.get(form) ?? '')
  const next = await browser.document('/register')
  expect(loggedIn.size).toBeGreaterThan(before.size)
  expect(second.cookies.delete(form)).toBe(true)
  expect([visit.status, second.cookies]).toEqual([303, before])
  expect([next.url, next.user?.name]).toEqual(['/verify-email', 'Ann'])
})

test('a plain form gets the taken-email error, both at once and a minute later', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const visit = await app.browser().document('/register', registration({ ...ann, name: 'Anna' }))
  expect(visit.page.props.errors).toEqual({ email: errorWords.taken })
  await app.pass({ minutes: 1 })
  const later = await app.browser().document('/register', registration(ann))
  expect(later.page.props.errors).toEqual({ email: errorWords.taken })
})

test('of simultaneous plain forms with one email, all but one get the taken-email error', async () => {
  const app = await testApp({ hashing: 'as served' })
  const forms = [ann, { ...ann, name: 'Anna' }, { ...ann, email: 'ANN@x.test' }].map(registration)
  const visits = await Promise.all(forms.map((form) => app.browser().document('/register', form)))
  const errors = visits.filter(({ user }) => !user).map(({ page }) => page.props.errors)
  expect(errors).toEqual([{ email: errorWords.taken }, { email: errorWords.taken }])
})

test('a plain form sent twice at once creates one account and leaves the browser logged in', async () => {
  const app = await testApp({ hashing: 'as served' })
  const browser = app.browser()
  await browser.document('/register')
  const send = () => browser.document('/register', registration(ann), { stay: true })
  const visits = await Promise.all([send(), send()])
  expect(new Set(visits.map(({ location }) => location))).toEqual(
    new Set(['/dashboard', '/register']),
  )
  expect([(await browser.get('/register')).url, await allUsers(app.db)]).toMatchObject([
    '/verify-email',
    [{ email: ann.email }],
  ])
})

test.each(['cookie', 'database'] as const)(
  'of two browsers that send one plain form at once, the second gets the taken-email error and its input back: %s',
  async (sessionStore) => {
    const app = await testApp({ hashing: 'as served', config: { sessionStore } })
    const form = registration(ann)
    const browsers = [app.browser(), app.browser()]
    for (const browser of browsers) await browser.document('/register')
    const visits = await Promise.all(browsers.map((browser) => browser.document('/register', form)))
    const refused = visits.filter(({ user }) => !user)
    const { name, email } = ann
    expect(refused.map(({ url, page }) => [url, page.props.errors, page.props.old])).toEqual([
      ['/register', { email: errorWords.taken }, { name, email }],
    ])
  },
)

test.each(['cookie', 'database'] as const)(
  'a plain form in a guest’s session gets the taken-email error, and the page shows it once: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    await registeredBrowser(app, ann)
    const browser = app.browser()
    await browser.get('/dashboard')
    await browser.document('/register')
    const { page } = await browser.document('/register', registration(ann))
    const again = await browser.document('/register')
    expect([page.props.errors, again.page.props.errors]).toEqual([{ email: errorWords.taken }, {}])
    expect(browser.cookies.get(`${appName}_form`)).toBe('shown')
  },
)

test('the outcome of a form is discarded while a user is logged in, and not shown to the next person', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.document('/register')
  const cameSo = new Map(browser.cookies)
  await browser.document('/register', registration(ann), { stay: true })
  const second = app.browser()
  for (const [name, value] of cameSo) second.cookies.set(name, value)
  await second.document('/register', registration(ann), { stay: true })
  const form = second.cookies.get(`${appName}_form`) ?? ''
  browser.cookies.set(`${appName}_form`, form)
  await browser.document('/register')
  await browser.document('/logout', {})
  const { page } = await browser.document('/register')
  expect([form, page.props.errors, page.props.old]).toEqual([expect.any(String), {}, undefined])
  expect(form).not.toBe('')
})

test('the outcome of a form is shown on no other page, and on no page after a minute', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await browser.document('/register')
  await browser.document('/register', registration(ann), { stay: true })
  expect((await browser.document('/login')).page.props.errors).toEqual({})
  await app.pass({ minutes: 1 })
  expect((await browser.document('/register')).page.props.errors).toEqual({})
})

test('a validation-only request about an account that was just created sets no cookie', async () => {
  const app = await testApp()
  const browser = app.browser()
  // A guest's session that remembers the page.
  await browser.get('/dashboard')
  await app.pass({ minutes: 2 })
  await registeredBrowser(app, ann)
  const look = await browser.validate('/register', registration(ann))
  expect([look.status, look.headers['set-cookie']]).toEqual([422, undefined])
})
