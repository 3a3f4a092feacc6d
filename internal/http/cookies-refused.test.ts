import { expect, test } from 'vitest'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { ann, registeredBrowser, registration } from '../testing/people.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import type { Browser, Visit } from '../testing/browser.ts'

const navigation = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'same-origin' }

interface Sent {
  readonly at: string
  readonly fields: Readonly<Record<string, string>>
  /** Whether the browser accepts cookies. */
  readonly keeps?: boolean
}

/** Returns the page a browser reaches by submitting a form without the page client. */
async function sentBy(app: TestApp, { at, fields, keeps = false }: Sent): Promise<Visit> {
  const browser = app.browser()
  const headers = { ...navigation, Referer: app.config.origin + at }
  let visit = await browser.document(at, fields, { headers, stay: true })
  while (visit.location !== undefined) {
    if (!keeps) browser.cookies.clear()
    visit = await browser.document(visit.location, undefined, { headers, stay: true })
  }
  return visit
}

const { email, password } = ann

test('a login, registration or reset request without cookies shows that the browser refuses cookies', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const forms: Sent[] = [
    { at: '/login', fields: { email, password } },
    { at: '/login', fields: { email, password: 'wrong horse' } },
    { at: '/register', fields: registration({ ...ann, email: 'other@x.test' }) },
    { at: '/register', fields: registration({ ...ann, password: 'short' }) },
    { at: '/forgot-password', fields: { email } },
    { at: '/login?a=b', fields: { email, password } },
  ]
  const outcomes: unknown[] = []
  for (const form of forms) {
    const { url, flash, status } = await sentBy(app, form)
    outcomes.push([status, url, flash])
  }
  const urls = ['/login', '/login', '/register', '/register', '/forgot-password', '/login']
  expect(outcomes).toEqual(urls.map((url) => [200, url, { error: flashWords.cookiesRefused }]))
})

test('a registration that is repeated with cookies shows the taken email, and nothing about cookies', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const { url, flash, errors } = await sentBy(app, {
    at: '/register',
    fields: registration(ann),
    keeps: true,
  })
  expect([url, flash, errors]).toEqual(['/register', {}, { email: errorWords.taken }])
})

test.each(['cookie', 'database'] as const)(
  'reloading a page that showed errors, without JavaScript, shows nothing about cookies: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    await registeredBrowser(app, ann)
    const browser = app.browser()
    const headers = { ...navigation, Referer: `${app.config.origin}/login` }
    const { errors } = await browser.document('/login', { email, password: 'wrong' }, { headers })
    const again = await browser.document('/login', undefined, { headers })
    expect([Object.keys(errors), again.errors, again.flash]).toEqual([['email'], {}, {}])
  },
)

test('a page reloaded because an asset of its build is gone shows nothing about cookies', async () => {
  const app = await testApp()
  const browser = app.browser()
  const headers = { ...navigation, Referer: `${app.config.origin}/login` }
  const script = { 'Sec-Fetch-Dest': 'script', 'Sec-Fetch-Site': 'same-origin' }
  const gone = await browser.document('/assets/passkeys-GONE.js', undefined, { headers: script })
  const { flash } = await browser.document('/login', undefined, { headers })
  expect([gone.status, flash]).toEqual([404, {}])
})

test('a browser that accepts cookies and a guest who follows links see nothing about cookies', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const wrong = { at: '/login', fields: { email, password: 'wrong horse' }, keeps: true }
  const failed = await sentBy(app, wrong)
  expect([failed.flash, Object.keys(failed.errors)]).toEqual([{}, ['email']])
  expect((await sentBy(app, { ...wrong, fields: { email, password } })).flash).toEqual({})
  const links = [
    ['/', '/login'],
    ['/register', '/login'],
    ['/login', '/register'],
    ['/login', '/forgot-password'],
    ['/', '/dashboard'],
    ['/', '/'],
  ] as const
  const flashes = await Promise.all(
    links.map(async ([from, to]) => (await led(app, from, to)).flash),
  )
  expect(flashes).toEqual(links.map(() => ({})))
})

/** Returns the page a guest reaches by a link in their first visit. */
function led(app: TestApp, from: string, to: string): Promise<Visit> {
  const browser: Browser = app.browser()
  const headers = { ...navigation, Referer: app.config.origin + from }
  return browser.document(to, undefined, { headers })
}
