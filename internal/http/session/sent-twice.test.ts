import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addresses } from '#db/address'
import { afterPasswordCheck, beforeNextTransaction } from '../../testing/app-hooks.ts'
import { ann, logIn, registeredBrowser } from '../../testing/people.ts'
import { copyOf } from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import { allUsers } from '../../testing/database/rows.ts'
import type { Browser, Visit } from '../../testing/browser.ts'
import type { OpenApp } from '../../open-app.ts'

const stay = { stay: true }
const wrong = { email: ann.email, password: 'a wrong word' }
const change = {
  _method: 'PUT',
  current_password: ann.password,
  password: 'another word',
  password_confirmation: 'another word',
}

/** Stops `performance.now()`. The returned function advances it by so many seconds, and no other clock. */
function waiting(): (seconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (seconds) => void vi.advanceTimersByTime(seconds * 1000)
}

/** Sends the form of a new password, from the browser or from a copy with its earlier cookies. */
type Send = (browser: Browser) => ReturnType<Browser['post']>

const plainly: Send = (browser) => browser.document('/settings/password', change, stay)
const byClient: Send = (browser) => browser.post('/settings/password', change, stay)
const senders = [
  ['plainly', plainly],
  ['by the client', byClient],
] as const

for (const sessionStore of ['cookie', 'database'] as const)
  for (const [how, send] of senders)
    test(`a new password sent twice ${how} leaves the browser logged in: ${sessionStore}`, async () => {
      const wait = waiting()
      const app = await testApp({ config: { sessionStore } })
      const browser = await verifiedBrowser(app)
      const before = copyOf(app, browser)
      const first = await send(browser)
      wait(2)
      const second = await send(before)
      expect([first.location, second.location]).toEqual(['/settings/security', '/login'])
      expect(second.headers['set-cookie']).toBeUndefined()
    })

test.each(['cookie', 'database'] as const)(
  'a guest’s form answered after a login in another tab, however late, sets no cookie: %s',
  async (sessionStore) => {
    const wait = waiting()
    let late = 0
    const served = (opened: OpenApp) => afterPasswordCheck(opened, async () => wait(late))
    const app = await testApp({ config: { sessionStore }, serverApp: served })
    await registeredBrowser(app, ann)
    const { browser, before } = await asGuest(app)
    await logIn(browser, ann)
    wait(1)
    late = 4
    const failed = await before.post('/login', wrong, stay)
    expect([failed.status, failed.headers['set-cookie']]).toEqual([303, undefined])
  },
)

test.each(['cookie', 'database'] as const)(
  'a user whose login response was lost can log in although the clock was set back: %s',
  async (sessionStore) => {
    const wait = waiting()
    const app = await testApp({ config: { sessionStore } })
    await registeredBrowser(app, ann)
    const { browser, before } = await asGuest(app)
    await logIn(browser, ann)
    wait(10)
    await app.pass({ seconds: -40 })
    const failed = await before.post('/login', wrong)
    expect(failed.errors).toHaveProperty('email')
    await logIn(before, ann)
    expect((await before.get('/')).user?.name).toBe('Ann')
  },
)

test('a new password sent twice while sessions move to the table leaves the browser logged in', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const table = await testApp({
    config: { ...app.config, sessionStore: 'database', port: 0 },
  })
  const [moved, before] = [copyOf(table, browser), copyOf(table, browser)]
  await byClient(moved)
  expect((await byClient(before)).headers['set-cookie']).toBeUndefined()
})

/** Returns a guest's browser with a session, since it wanted a page, and a copy of the browser. */
async function asGuest(app: TestApp): Promise<{ browser: Browser; before: Browser }> {
  const browser = app.browser()
  await browser.get('/settings/profile')
  return { browser, before: copyOf(app, browser) }
}

test.each(['cookie', 'database'] as const)(
  'a form of a replaced login that comes a while later resets the session cookie: %s',
  async (sessionStore) => {
    const wait = waiting()
    const app = await testApp({ config: { sessionStore } })
    const browser = await verifiedBrowser(app)
    const before = copyOf(app, browser)
    await byClient(browser)
    wait(4)
    expect((await byClient(before)).headers['set-cookie']).toBeDefined()
  },
)

test.each(['cookie', 'database'] as const)(
  'a guest’s form from another tab does not end a login that waits for its code: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const factor = await turnOn(app, await verifiedBrowser(app))
    const { browser, before } = await asGuest(app)
    await logIn(browser, ann)
    const failed = await before.post('/login', wrong, stay)
    await browser.post('/two-factor-challenge', { code: factor.code() })
    expect(failed.headers['set-cookie']).toBeUndefined()
    expect((await browser.get('/')).user?.name).toBe('Ann')
  },
)

test.runIf(addresses.setting === 'DB_URL').each(['cookie', 'database'] as const)(
  'a request with the previous session to another server, a moment later, sets no cookie: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const other = await testApp({ config: { ...app.config, port: 0 } })
    const user = await verifiedBrowser(app)
    const [again, visiting] = [copyOf(other, user), copyOf(other, user)]
    const guest = await asGuest(app)
    const asking = copyOf(other, guest.before)
    await byClient(user)
    const afterChange = [
      await byClient(again),
      await visiting.document('/dashboard', undefined, stay),
    ]
    await logIn(guest.browser, { ...ann, password: change.password })
    const afterLogin = [
      await asking.document('/settings/security', undefined, stay),
      await asking.post('/login', wrong, stay),
    ]
    const answers = [...afterChange, ...afterLogin]
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    expect(answers.flatMap(({ headers }) => headers['set-cookie'] ?? [])).toEqual([])
  },
)

test.each(['cookie', 'database'] as const)(
  'a wrong password directly after logging in and out is reported: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const browser = await registeredBrowser(app, ann)
    await browser.post('/logout')
    await logIn(browser, ann)
    await browser.post('/logout')
    expect((await browser.post('/login', wrong)).errors).toHaveProperty('email')
  },
)

test('a request answered between a new password and its session does not end the new login', async () => {
  let between: (() => Promise<void>) | undefined
  const served = (opened: OpenApp) => beforeNextTransaction(opened, async () => between?.())
  const app = await testApp({ config: { sessionStore: 'database' }, serverApp: served })
  const browser = await verifiedBrowser(app)
  const before = copyOf(app, browser)
  const hashes = async () => (await allUsers(app.db)).map(({ passwordHash }) => passwordHash)
  const old = await hashes()
  const answers: Visit[] = []
  between = async () => {
    if (isDeepStrictEqual(await hashes(), old)) return
    between = undefined
    answers.push(await before.document('/dashboard', undefined, stay))
  }
  await byClient(browser)
  expect(answers.map(({ status, headers }) => [status, headers['set-cookie']])).toEqual([
    [303, undefined],
  ])
  expect((await browser.get('/')).user?.name).toBe('Ann')
})
