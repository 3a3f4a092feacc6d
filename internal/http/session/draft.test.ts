import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { ann, bob, logIn, registeredBrowser } from '../../testing/people.ts'
import { deleteLogins } from '../../testing/database/rows.ts'
import { copyOf } from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { hideTokens, showTokens } from '../../testing/database/token-rows.ts'
import { verifiedBrowser } from '../../testing/two-factor.ts'
import type { Browser, Visit } from '../../testing/browser.ts'

const { loginEnded, confirmFirst, typedBefore } = flashWords
const profile = '/settings/profile'
const typed = { name: 'Ann B.', email: 'ann.b@x.test' }
const rename = { _method: 'PATCH', ...typed }
const password = { password: ann.password }
const stores = ['cookie', 'database'] as const

/** Returns Ann's browser on her profile, or another page, just after her login ended. */
async function ended(sessionStore: 'cookie' | 'database' = 'cookie', on = profile) {
  const app = await testApp({ config: { sessionStore } })
  await registeredBrowser(app, bob)
  const browser = await verifiedBrowser(app)
  await browser.get(on)
  await deleteLogins(app.db)
  return { app, browser }
}

function sentFrom(path: string) {
  return { headers: { Referer: `http://app.test${path}` } }
}

function oldOf({ page }: Visit) {
  return page.props.old
}

function toasts(visit: Visit) {
  return [visit.url, visit.flash.error]
}

test.each(stores)(
  'a draft from an ended login is restored once for the same user, with sessions by %s',
  async (store) => {
    const { browser } = await ended(store)
    const turned = await browser.post(profile, rename)
    const back = await logIn(browser, ann)
    const again = await browser.get(profile)
    expect(toasts(turned)).toEqual(['/login', loginEnded.draftKept])
    expect([...toasts(back), oldOf(back)]).toEqual([profile, typedBefore, typed])
    expect([again.flash, back.user?.name, oldOf(again)]).toEqual([{}, ann.name, undefined])
  },
)

test.each(stores)(
  'a draft from an ended login is restored without JavaScript, with sessions by %s',
  async (store) => {
    const { browser } = await ended(store)
    const turned = await browser.document(profile, rename)
    const back = await browser.document('/login', { email: ann.email, password: ann.password })
    expect(toasts(turned)).toEqual(['/login', loginEnded.draftKept])
    expect([back.url, oldOf(back)]).toEqual([profile, typed])
  },
)

test.each(stores)('a draft survives a failure of its page, with sessions by %s', async (store) => {
  const { app, browser } = await ended(store, '/settings/tokens')
  await browser.post('/settings/tokens', { name: 'Backups' })
  await logIn(browser, ann, { stay: true })
  await hideTokens(app.db)
  const failed = [await browser.get('/settings/tokens'), await browser.document('/settings/tokens')]
  await showTokens(app.db)
  const again = await browser.get('/settings/tokens')
  expect(failed.map(({ status }) => status)).toEqual([500, 500])
  expect(failed.map(oldOf)).toEqual([undefined, undefined])
  expect(oldOf(again)).toMatchObject({ name: 'Backups' })
})

test.each(stores)(
  'a draft from an ended login is never shown to another user, with sessions by %s',
  async (store) => {
    const { app, browser } = await ended(store)
    await browser.post(profile, rename)
    const other = await logIn(browser, bob)
    const visits = [other, await browser.get(profile), await browser.document(profile)]
    await deleteLogins(app.db)
    await browser.get(profile)
    const back = await logIn(browser, ann)
    expect([...visits, back].map(oldOf)).toEqual([undefined, undefined, undefined, undefined])
  },
)

test.each(stores)(
  'a form from a page of another user leaves no draft when the login has ended, with sessions by %s',
  async (store) => {
    const bobs = { ...rename, _user: '1' }
    const attempts: readonly ((browser: Browser) => Promise<Visit>)[] = [
      (browser) => browser.post(profile, bobs),
      (browser) => browser.post(profile, rename, { headers: { 'X-Page-User': '1' } }),
      (browser) => browser.document(profile, bobs),
      // After the browser was told that the login is over.
      async (browser) => {
        await browser.get(profile)
        const headers = { Referer: `http://app.test${profile}` }
        return browser.document(profile, bobs, { headers })
      },
    ]
    const outcomes: unknown[] = []
    for (const send of attempts) {
      const { browser } = await ended(store)
      const turned = await send(browser)
      const back = await logIn(browser, ann)
      outcomes.push([...toasts(turned), back.url, back.user?.id, oldOf(back)])
    }
    expect(outcomes).toEqual(
      attempts.map(() => ['/login', loginEnded.noDraft, profile, 2, undefined]),
    )
  },
)

test('a draft from an ended login is dropped at logout', async () => {
  const { browser } = await ended()
  await browser.post(profile, rename)
  await browser.post('/login', { email: ann.email, ...password }, { stay: true })
  await browser.post('/logout')
  await logIn(browser, ann)
  expect(oldOf(await browser.get(profile))).toBeUndefined()
})

test('a draft has no passwords, codes or tokens, no form for one row of many, and no overlong input', async () => {
  const { browser } = await ended()
  const secrets = {
    password: 'x',
    current_password: 'x',
    code: '1',
    recovery_code: 'x',
    token: 'x',
  }
  const forms: [string, Record<string, string>][] = [
    ['/settings/password', { _method: 'PUT', ...secrets }],
    ['/settings/passkeys/1', { _method: 'PATCH', name: 'Blue' }],
    ['/settings/two-factor', { _method: 'DELETE', setup: 'cancel' }],
    [profile, { ...rename, name: 'A'.repeat(2_000) }],
    // Of three bytes each.
    [profile, { ...rename, name: '山'.repeat(700) }],
  ]
  const errors: unknown[] = []
  const from = { headers: { Referer: `http://app.test${profile}` } }
  for (const [path, fields] of forms)
    errors.push((await browser.post(path, fields, from)).flash.error)
  const kept = await browser.post(profile, { ...rename, ...secrets }, from)
  const back = await logIn(browser, ann)
  expect(errors).toEqual(forms.map(() => loginEnded.noDraft))
  expect([kept.flash.error, oldOf(back)]).toEqual([loginEnded.draftKept, typed])
})

test.each(stores)(
  'a draft from a page that moves on to login or confirmation is restored, with sessions by %s',
  async (store) => {
    const { app, browser } = await ended(store)
    const turned = await browser.post(profile, rename, sentFrom('/login'))
    const back = await browser.post('/login', { email: ann.email, ...password, remember: 'on' })
    await app.pass({ hours: 3 })
    const unsure = await browser.post(profile, rename, sentFrom('/confirm-password'))
    const sure = await browser.post('/confirm-password', password)
    expect(toasts(turned)).toEqual(['/login', loginEnded.draftKept])
    expect(toasts(unsure)).toEqual(['/confirm-password', confirmFirst.draftKept])
    expect([back, sure].map((visit) => [visit.url, oldOf(visit)])).toEqual([
      [profile, typed],
      [profile, typed],
    ])
  },
)

test('a draft from another tab of the ended login is restored after the next login', async () => {
  const { browser } = await ended()
  await browser.get('/dashboard')
  const turned = await browser.document(profile, rename, {
    headers: { Referer: `http://app.test${profile}` },
  })
  expect(toasts(turned)).toEqual(['/login', loginEnded.draftKept])
  expect(oldOf(await logIn(browser, ann))).toEqual(typed)
})

async function led(ask: (browser: Browser) => Promise<Visit>) {
  return toasts(await ask((await ended()).browser))
}

test('a request whose login has ended shows that it ended, on whatever page the request leads to', async () => {
  expect(await led((browser) => browser.get('/notifications'))).toEqual([
    '/login',
    loginEnded.noDraft,
  ])
  expect(await led((browser) => browser.document('/'))).toEqual(['/', loginEnded.noDraft])
  expect(await led((browser) => browser.get('/login'))).toEqual(['/login', loginEnded.noDraft])
  expect(await led((browser) => browser.post('/logout'))).toEqual(['/login', loginEnded.noDraft])
})

test('a form sent after the session cookie expired shows that the login ended, and leaves no draft', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  browser.cookies.clear()
  expect(toasts(await browser.post(profile, rename))).toEqual(['/login', loginEnded.noDraft])
  expect(oldOf(await logIn(browser, ann))).toBeUndefined()
})

test('a guest who was never logged in sees no message that a login ended', async () => {
  const app = await testApp()
  expect(toasts(await app.browser().get(profile))).toEqual(['/login', undefined])
})

test('a validation-only request does not consume the message that the login ended', async () => {
  const { browser } = await ended()
  await browser.post(profile, rename, { headers: { 'X-Page-Validate-Only': 'email' } })
  const turned = await browser.post(profile, rename)
  expect(toasts(turned)).toEqual(['/login', loginEnded.draftKept])
})

// Leaving a field by pressing a link validates it while the page loads; the validation may be answered later.
test.each(stores)(
  'a validation or a prefetch by an ended login does not change where login leads, with sessions by %s',
  async (store) => {
    const { app, browser } = await ended(store)
    const before = copyOf(app, browser)
    await browser.get('/settings/tokens')
    const looks = [
      await before.post(profile, rename, {
        headers: { 'X-Page-Validate-Only': 'email' },
        stay: true,
      }),
      await before.get(profile, { headers: { Purpose: 'prefetch' }, stay: true }),
    ]
    expect(looks.map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined])
    expect((await logIn(browser, ann)).url).toBe('/settings/tokens')
  },
)

/** Returns Ann's browser, with its confirmation lapsed. */
async function lapsed(app: TestApp): Promise<Browser> {
  const browser = await verifiedBrowser(app)
  await app.pass({ hours: 1, minutes: 45 })
  await browser.get(profile)
  await app.pass({ hours: 1, minutes: 45 })
  return browser
}

test.each(stores)(
  'a draft from a lapsed confirmation is restored after confirming, with sessions by %s',
  async (sessionStore) => {
    const browser = await lapsed(await testApp({ config: { sessionStore } }))
    const turned = await browser.post(profile, rename)
    const back = await browser.post('/confirm-password', password)
    expect(toasts(turned)).toEqual(['/confirm-password', confirmFirst.draftKept])
    expect([back.url, oldOf(back), back.user?.name]).toEqual([profile, typed, ann.name])
  },
)

test('a button pressed after the confirmation lapsed asks to be pressed again', async () => {
  const browser = await lapsed(await testApp())
  const turned = await browser.post('/settings/logins', { _method: 'DELETE' })
  expect(toasts(turned)).toEqual(['/confirm-password', confirmFirst.noDraft])
})

test('a new passkey without a name, made as the confirmation lapsed, is not said to be kept', async () => {
  const browser = await lapsed(await testApp())
  const refused = await browser.postJson('/settings/passkeys', { name: '', credential: {} })
  expect(refused.status).toBe(423)
  expect((await browser.get('/confirm-password')).flash.error).toBe(confirmFirst.noDraft)
})

test('a draft from an ended login is dropped after two hours', async () => {
  const { app, browser } = await ended()
  await browser.post(profile, rename)
  await browser.get('/login')
  await app.pass({ hours: 1 })
  await browser.get('/login')
  const early = copyOf(app, browser)
  expect(oldOf(await logIn(early, ann))).toEqual(typed)
  await app.pass({ hours: 1 })
  expect(oldOf(await logIn(browser, ann))).toBeUndefined()
})
