import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { brandName } from '../../../../web/brand/brand.ts'
import { expect, test } from 'vitest'
import { makeSignedToken } from '../../../base/crypto/signed-token.ts'
import { work } from '../../../domain/work.ts'
import { linkIn } from '../../../testing/mails.ts'
import {
  allPasskeys,
  requestPasskeyOptions,
  newAuthenticator,
  logInPasskey,
  refusalOf,
  times,
} from '../../../testing/passkeys.ts'
import { ann, behindProxy, bob, from, registeredBrowser } from '../../../testing/people.ts'
import {
  allJobs,
  allLogins,
  allNotifications,
  allUsers,
  dropLogins,
} from '../../../testing/database/rows.ts'
import { sessionOf } from '../../../testing/session-of.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type { Authenticator, Wrong } from '../../../testing/authenticator.ts'
import type { Browser, Visit } from '../../../testing/browser.ts'

const form = { name: ann.name, email: ann.email }
const stay = { stay: true }
const unknownCredential = { rpId: 'app.test', credentialId: expect.any(String) }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'

function ask(browser: Browser, fields: Readonly<Record<string, string>> = form): Promise<Visit> {
  return browser.post('/register/passkey', fields)
}

/** Returns an app, and the link mailed to Ann. */
async function mailed(options = {}): Promise<{ app: TestApp; link: string }> {
  const app = await testApp({ workers: true, ...options })
  await ask(app.browser())
  return { app, link: linkIn(await app.outbox.nextTo(ann.email)) }
}

/** Returns the link's path for options, with its query. */
function beside(link: string): string {
  return link.replace('?', '/options?')
}

function optionsOf(browser: Browser, link: string) {
  return requestPasskeyOptions<PublicKeyCredentialCreationOptionsJSON>(browser, beside(link))
}

async function make(
  browser: Browser,
  link: string,
  {
    authenticator = newAuthenticator(),
    wrong = {},
  }: { authenticator?: Authenticator; wrong?: Wrong } = {},
): Promise<Visit> {
  const credential = authenticator.create(await optionsOf(browser, link), wrong)
  return browser.postJson(link, { credential }, { headers: { 'User-Agent': firefox } })
}

/** Makes the link that would be mailed for this name and email. */
function linkFor(app: TestApp, name: string, email: string): string {
  const endsAt = new Date(app.now().getTime() + 1000)
  const token = makeSignedToken(app.keys, 'registration', { fields: [email, name], endsAt })
  return `/register/passkey/${token}?${new URLSearchParams({ email, name }).toString()}`
}

/** Returns where a guest who opens the link lands, and the flash there. */
async function opened(app: TestApp, link: string) {
  const { url, flash } = await app.browser().get(link)
  return [url, flash]
}

test('a request to register with a passkey mails a link and creates no account', async () => {
  const app = await testApp({ workers: true })
  const visit = await ask(app.browser())
  const mail = await app.outbox.nextTo(ann.email)
  expect([visit.url, visit.flash]).toEqual(['/register', { success: flashWords.registrationSent }])
  expect(mail.subject).toBe(`Finish making your ${brandName} account`)
  expect(mail.to).toEqual([{ address: ann.email }])
  expect(linkIn(mail)).toMatch(
    /^\/register\/passkey\/[0-9a-z]+\.[\w-]{22}\?email=ann%40x.test&name=Ann$/,
  )
  expect(await allUsers(app.db)).toEqual([])
})

test('a registration link whose name ends with a dot has that dot encoded, and opens with the whole name', async () => {
  const app = await testApp({ workers: true })
  await ask(app.browser(), { ...form, name: 'Ann B.' })
  const link = linkIn(await app.outbox.nextTo(ann.email))
  expect(link).toMatch(/&name=Ann\+B%2e$/)
  const { component, page } = await app.browser().get(link)
  expect([component, page.props.name]).toEqual(['Auth/RegisterPasskey', 'Ann B.'])
})

test('a request for a registration link is answered with a 303 to the register page, whichever page the form was on', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.get('/login')
  const visit = await browser.post('/register/passkey', form, stay)
  const json = await browser.postJson('/register/passkey', { ...form, email: bob.email })
  expect([visit.status, visit.location]).toEqual([303, '/register'])
  expect([json.status, json.json]).toEqual([200, { redirect: '/register' }])
})

test('name and email are validated as on the register page, in validation-only requests as well', async () => {
  const app = await testApp()
  await registeredBrowser(app, bob)
  const browser = app.browser()
  const empty = await ask(browser, { name: '', email: 'ann' })
  const taken = await ask(browser, { ...form, email: 'BOB@x.test' })
  const left = await browser.validate('/register/passkey', { email: bob.email }, ['email'])
  const good = await browser.validate('/register/passkey', form)
  expect(empty.errors).toEqual({ name: errorWords.required, email: errorWords.email })
  expect(taken.errors).toEqual({ email: errorWords.taken })
  expect([left.status, left.json]).toEqual([422, { errors: { email: errorWords.taken } }])
  expect(good.status).toBe(204)
  expect((await allJobs(app.db)).map(({ name }) => name)).toEqual(['VerifyMail'])
})

test('one registration link a minute is mailed to an email, and every request gets the same answer', async () => {
  const app = await testApp()
  const visits = [await ask(app.browser()), await ask(app.browser())]
  visits.push(await ask(app.browser(), { ...form, email: 'ANN@x.test' }))
  const jobs = await allJobs(app.db)
  await app.pass({ minutes: 1 })
  await ask(app.browser())
  expect(visits.map(({ url, flash }) => [url, flash])).toEqual(
    visits.map(() => ['/register', { success: flashWords.registrationSent }]),
  )
  expect(jobs.map(({ name }) => name)).toEqual(['registration-mail'])
  expect(await allJobs(app.db)).toHaveLength(2)
})

test('requests for reset links do not use up the limit of registration links', async () => {
  const app = await testApp()
  // As many requests as an address has in a minute.
  for (const email of [ann.email, 'b@x.test', 'c@x.test', 'd@x.test', 'e@x.test'])
    await app.browser().post('/forgot-password', { email })
  await ask(app.browser())
  const names = (await allJobs(app.db)).map(({ name }) => name)
  expect(names).toEqual([...times(5, 'ResetMail'), 'registration-mail'])
})

test('an address may request five links a minute, and a refused request does not use up the email’s own limit', async () => {
  const app = await testApp(behindProxy)
  const askFrom = (address: string, i: number) =>
    app.browser().post('/register/passkey', { ...form, email: `${i}@x.test` }, from(address))
  for (let i = 0; i < 6; i++) await askFrom('192.0.2.1', i)
  const sixth = await askFrom('192.0.2.1', 6)
  const mailed = await allJobs(app.db)
  await askFrom('192.0.2.2', 6)
  expect(sixth.flash).toEqual({ success: flashWords.registrationSent })
  expect([mailed.length, (await allJobs(app.db)).length]).toEqual([5, 6])
})

test('no registration link is mailed when the email has an account by the time the job runs', async () => {
  const app = await testApp()
  await ask(app.browser())
  const [job] = await allJobs(app.db)
  await registeredBrowser(app, ann)
  await work['registration-mail'].run(
    app,
    JSON.parse(job?.payload ?? ''),
    new AbortController().signal,
  )
  expect(app.outbox.mails).toEqual([])
})

test('the registration link opens the page that creates the passkey, any number of times', async () => {
  const { app, link } = await mailed()
  const token = link.slice('/register/passkey/'.length, link.indexOf('?'))
  const visits = [await app.browser().get(link), await app.browser().get(link)]
  const own = { email: ann.email, name: ann.name, token }
  expect(visits.map(({ component }) => component)).toEqual([
    'Auth/RegisterPasskey',
    'Auth/RegisterPasskey',
  ])
  expect(visits.map(({ page }) => page.props)).toMatchObject([own, own])
})

test('each response with creation options has a new user handle and a new challenge', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  const [first, second] = [await optionsOf(browser, link), await optionsOf(browser, link)]
  expect(first).toMatchObject({
    rp: { id: 'app.test', name: brandName },
    user: { name: ann.email, displayName: ann.name },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  })
  expect(first.user.id).not.toBe(second.user.id)
  expect(first.challenge).not.toBe(second.challenge)
})

test('the passkey creates an account with a verified email and no password, and logs in', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  const authenticator = newAuthenticator()
  const visit = await make(browser, link, { authenticator })
  const dashboard = await browser.get('/dashboard')
  const users = await allUsers(app.db)
  const keys = await allPasskeys(app.db)
  expect([visit.status, visit.json]).toEqual([200, { redirect: '/dashboard' }])
  // Two hours, since registering has no `remember`.
  expect(String(visit.headers['set-cookie'])).toContain('Max-Age=7200')
  expect([dashboard.component, dashboard.user?.name]).toEqual(['Dashboard', 'Ann'])
  expect(users).toMatchObject([
    { name: 'Ann', email: ann.email, passwordHash: '', emailVerifiedAt: app.now() },
  ])
  expect(users[0]?.passkeyHandle?.length).toBeGreaterThanOrEqual(32)
  expect(keys).toMatchObject([{ userId: users[0]?.id, name: 'Firefox on Linux' }])
  expect((await logInPasskey(app.browser(), authenticator)).status).toBe(200)
})

test('registering with a passkey counts as a confirmation and sends no notification', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  await make(browser, link)
  expect((await browser.get('/settings/security')).component).toBe('Settings/Security')
  expect(await allNotifications(app.db)).toEqual([])
  await app.outbox.expectNone()
})

test('a registration link creates one account, and then says that the account exists', async () => {
  const { app, link } = await mailed()
  await make(app.browser(), link)
  const browser = app.browser()
  const options = await browser.postJson(beside(link), {})
  const store = await browser.postJson(link, { credential: {} })
  const refused = { message: flashWords.registrationDone }
  expect(await opened(app, link)).toEqual(['/login', { error: flashWords.registrationDone }])
  expect([options.status, options.json]).toEqual([422, refused])
  expect([store.status, store.json]).toEqual([422, refused])
  expect(await allUsers(app.db)).toHaveLength(1)
})

test('of twenty browsers that use one registration link at once, one creates the account', async () => {
  const { app, link } = await mailed()
  const browsers = Array.from({ length: 20 }, () => app.browser())
  const answers = await Promise.all(
    browsers.map(async (browser) => newAuthenticator().create(await optionsOf(browser, link))),
  )
  const visits = await Promise.all(
    browsers.map((browser, i) => browser.postJson(link, { credential: answers[i] })),
  )
  const [authenticator, ...others] = visits.toSorted((a, b) => a.status - b.status)
  expect(authenticator?.json).toEqual({ redirect: '/dashboard' })
  expect(others.map(({ json }) => json)).toEqual(
    others.map(() => ({ message: flashWords.registrationDone, unknownCredential })),
  )
  expect(await allUsers(app.db)).toHaveLength(1)
  expect(await allPasskeys(app.db)).toHaveLength(1)
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('of twenty simultaneous requests with one passkey response, one creates the account', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  const credential = newAuthenticator().create(await optionsOf(browser, link))
  const cookies = new Map(browser.cookies)
  const visits = await Promise.all(
    Array.from({ length: 20 }, () => {
      const tab = app.browser()
      for (const [name, value] of cookies) tab.cookies.set(name, value)
      return tab.postJson(link, { credential })
    }),
  )
  expect(visits.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await allUsers(app.db)).toHaveLength(1)
})

test('a registration link adds no passkey to an account registered with a password meanwhile', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  const credential = newAuthenticator().create(await optionsOf(browser, link))
  await registeredBrowser(app, ann)
  const visit = await browser.postJson(link, { credential })
  expect([visit.status, visit.json]).toEqual([
    422,
    { message: flashWords.registrationDone, unknownCredential },
  ])
  expect(await allPasskeys(app.db)).toEqual([])
})

test('a registration link is valid for a day', async () => {
  const { app, link } = await mailed()
  await app.pass({ hours: 23, minutes: 59 })
  const within = await app.browser().get(link)
  const browser = app.browser()
  const credential = newAuthenticator().create(await optionsOf(browser, link))
  await app.pass({ minutes: 1 })
  const late = await browser.postJson(link, { credential })
  expect(within.component).toBe('Auth/RegisterPasskey')
  expect(await opened(app, link)).toEqual(['/register', { error: flashWords.registrationOver }])
  expect([late.status, late.json]).toEqual([
    422,
    { message: flashWords.registrationOver, unknownCredential },
  ])
  expect(await allUsers(app.db)).toEqual([])
})

test('an altered registration link leads to the register page and does not reveal whether the email has an account', async () => {
  const { app, link } = await mailed()
  await registeredBrowser(app, bob)
  const changed = [
    link.replace('ann%40', 'bob%40'),
    link.replace('name=Ann', 'name=Eve'),
    link.replace(/\.[\w-]/, (two) => (two === '.A' ? '.B' : '.A')),
    link.replace(/\?.*/, ''),
    '/register/passkey/x',
  ]
  const outcomes: unknown[] = []
  for (const other of changed) outcomes.push(await opened(app, other))
  const back = ['/register', { error: flashWords.registrationOver }]
  expect(outcomes).toEqual(changed.map(() => back))
})

test('a token signed for another purpose opens no registration', async () => {
  const app = await testApp()
  const endsAt = new Date(app.now().getTime() + 1000)
  const fields = [ann.email, ann.name]
  const token = makeSignedToken(app.keys, 'verification', { fields, endsAt })
  const link = `/register/passkey/${token}?email=ann%40x.test&name=Ann`
  expect(await opened(app, link)).toEqual(['/register', { error: flashWords.registrationOver }])
})

test('a name and an email with special characters are preserved through the registration link', async () => {
  const app = await testApp({ workers: true })
  const name = 'Ann & Jörg+Co. 100% <李>'
  await ask(app.browser(), { name, email: 'jo\u0308rg+x@x.test' })
  const link = linkIn(await app.outbox.next())
  const { props } = (await app.browser().get(link)).page
  await make(app.browser(), link)
  expect(props).toMatchObject({ name, email: 'jörg+x@x.test' })
  expect(await allUsers(app.db)).toMatchObject([{ name, email: 'jörg+x@x.test' }])
})

test('an empty passkey response gets an error of its own and does not use up the registration link', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  await browser.document(link)
  const early = await browser.document(link, {})
  expect(early.errors).toEqual({ credential: errorWords.passkeyEarly })
  expect((await make(browser, link)).status).toBe(200)
})

test('a passkey response that is missing, invalid or from another browser creates no account', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  const others = newAuthenticator().create(await optionsOf(app.browser(), link))
  const visits = [
    await browser.postJson(link, { credential: others }),
    await browser.postJson(link, {}),
    await browser.post(link, { credential: 'no JSON' }, { ...stay, headers: {} }),
    await make(browser, link, { wrong: { origin: 'http://evil.test' } }),
    await make(browser, link, { wrong: { verified: false } }),
  ]
  const [first, second, , ...rest] = visits
  expect([first, second, ...rest].map((visit) => visit && refusalOf(visit))).toEqual(
    [1, 2, 3, 4].map(() => [422, errorWords.passkeyRefused]),
  )
  expect(sessionOf(app, browser).login).toBe(undefined)
  expect(await allUsers(app.db)).toEqual([])
})

test('a passkey response is accepted only within five minutes', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  const credential = newAuthenticator().create(await optionsOf(browser, link))
  await app.pass({ minutes: 5 })
  const visit = await browser.postJson(link, { credential })
  expect(refusalOf(visit)).toEqual([422, errorWords.passkeyOver])
})

test('a credential ID that another account has creates no account', async () => {
  const { app, link } = await mailed()
  const authenticator = newAuthenticator()
  await make(app.browser(), link, { authenticator })
  const [passkey] = await allPasskeys(app.db)
  const wrong = { credentialId: Buffer.from(passkey?.credentialId ?? []) }
  const visit = await make(app.browser(), linkFor(app, 'Bob', bob.email), { wrong })
  expect(refusalOf(visit)).toEqual([422, errorWords.passkeyTaken])
  expect((await allUsers(app.db)).map(({ email }) => email)).toEqual([ann.email])
})

test('an account is not created when its login cannot be stored', async () => {
  const { app, link } = await mailed()
  const browser = app.browser()
  const credential = newAuthenticator().create(await optionsOf(browser, link))
  await dropLogins(app.db)
  const visit = await browser.postJson(link, { credential })
  expect(visit.status).toBe(500)
  expect([await allUsers(app.db), await allPasskeys(app.db)]).toEqual([[], []])
})

test('creation options are refused on a site at an IP address', async () => {
  const app = await testApp({ config: { origin: 'http://127.0.0.1:3000' } })
  const link = linkFor(app, ann.name, ann.email)
  const visit = await app.browser().postJson(beside(link), {})
  expect([visit.status, visit.json]).toEqual([422, { message: errorWords.passkeysAbsent }])
})

test('a logged-in user is sent to the dashboard from every route of registering with a passkey', async () => {
  const { app, link } = await mailed()
  const browser = await registeredBrowser(app, bob)
  const visits = [
    await browser.post('/register/passkey', { ...form, email: 'c@x.test' }, stay),
    await browser.get(link, stay),
    await browser.post(link, {}, stay),
    await browser.post(beside(link), {}, stay),
  ]
  expect(visits.map(({ location }) => location)).toEqual(visits.map(() => '/dashboard'))
})

test('a logged-in user who opens the registration link sees why it does not open, and a prefetch stores no such message', async () => {
  const { app, link } = await mailed()
  const browser = await registeredBrowser(app, bob)
  await browser.get(link, { headers: { Purpose: 'prefetch' }, ...stay })
  const before = await browser.get('/verify-email')
  const { flash } = await browser.get(link)
  expect([before.flash, flash]).toEqual([{}, { error: flashWords.registerLoggedIn }])
})

test('the token, the email and the name of a registration link are not logged', async () => {
  const { app, link } = await mailed()
  await make(app.browser(), link)
  const token = link.slice('/register/passkey/'.length, link.indexOf('?'))
  const logged = JSON.stringify(app.logLines)
  expect([token, ann.email, 'ann%40', 'name=Ann'].filter((text) => logged.includes(text))).toEqual(
    [],
  )
  expect(logged).toContain('/register/passkey/[token]/options?email=[redacted]&name=[redacted]')
})
