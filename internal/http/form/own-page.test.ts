import { expect, test } from 'vitest'
import { paths } from '../../../web/contract/paths.ts'
import { renameField } from '../../../web/contract/rename-field.ts'
import { makeSignedToken } from '../../base/crypto/signed-token.ts'
import { ann, bob, logIn, registeredBrowser } from '../../testing/people.ts'
import { testApp } from '../../testing/test-app.ts'
import { beginTwoFactorSetup, turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import { routes } from '../routes.ts'
import type { Browser, Visit } from '../../testing/browser.ts'
import type { Route } from '../router.ts'

const headers = { Referer: '' }
const passkey = { credential: '{}' }

type Form = readonly [address: string, fields?: Readonly<Record<string, string>>]

/** Returns where failed forms redirect a browser without a Referer, and which fields have errors there. */
async function failed(browser: Browser, ...forms: readonly Form[]): Promise<unknown[]> {
  const outcomes: unknown[] = []
  for (const [address, fields = {}] of forms)
    outcomes.push(faultOf(await browser.document(address, fields, { headers })))
  return outcomes
}

function faultOf({ url, errors }: Visit): unknown {
  return [url, ...Object.keys(errors)]
}

test('a guest’s form that fails without a Referer returns to its own page', async () => {
  const app = await testApp()
  const outcomes = await failed(
    app.browser(),
    ['/register', { ...bob, password_confirmation: 'another' }],
    ['/register/passkey', { name: bob.name }],
    ['/login', { email: bob.email }],
    ['/login/passkey', passkey],
    ['/forgot-password'],
    ['/reset-password', { token: 'a.b', email: bob.email, password: 'short' }],
    ['/reset-password', { ...bob, token: '', password_confirmation: bob.password }],
    ['/reset-password', { ...bob, token: 'a.b', password_confirmation: bob.password }],
  )
  const reset = '/reset-password/a.b?email=bob%40x.test'
  expect(outcomes).toEqual([
    ['/register', 'password_confirmation'],
    ['/register', 'email'],
    ['/login', 'password'],
    ['/login', 'credential'],
    ['/forgot-password', 'email'],
    [reset, 'password', 'password_confirmation'],
    ['/forgot-password', 'email'],
    [reset, 'email'],
  ])
})

test('a registration by passkey that fails without a Referer returns to the page of its link', async () => {
  const app = await testApp()
  const { name, email } = bob
  const endsAt = new Date(app.now().getTime() + 1000)
  const token = makeSignedToken(app.keys, 'registration', { fields: [email, name], endsAt })
  const link = `/register/passkey/${token}?email=bob%40x.test&name=Bob`
  expect(await failed(app.browser(), [link, passkey])).toEqual([[link, 'credential']])
})

test('a user’s form that fails without a Referer returns to its own page', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await beginTwoFactorSetup(browser)
  const put = { _method: 'PUT', current_password: ann.password }
  const outcomes = await failed(
    browser,
    ['/settings/profile', { _method: 'PATCH', name: '', email: ann.email }],
    ['/settings/profile', { _method: 'DELETE', password: 'another' }],
    ['/settings/password', { ...put, password: 'short', password_confirmation: 'short' }],
    ['/settings/two-factor/confirm', { code: '' }],
    ['/settings/passkeys', { name: '', ...passkey }],
    ['/settings/passkeys/1', { _method: 'PATCH', [renameField(1)]: '' }],
    ['/settings/tokens', { name: '', abilities: '*', expiry: '30' }],
    ['/confirm-password', { password: 'another' }],
  )
  expect(outcomes).toEqual([
    ['/settings/profile', 'name'],
    ['/settings/profile', 'password'],
    ['/settings/security', 'password'],
    ['/settings/security', 'code'],
    ['/settings/security', 'credential'],
    ['/settings/security', renameField(1)],
    ['/settings/tokens', 'name'],
    ['/confirm-password', 'password'],
  ])
})

test('a photo upload of another file type without a Referer returns to the profile with an error', async () => {
  const browser = await registeredBrowser(await testApp(), ann)
  const photo = { field: 'photo', name: 'a.png', type: 'image/png', content: Buffer.from('text') }
  const visit = await browser.upload('/settings/profile/photo', photo, {}, { headers })
  expect(faultOf(visit)).toEqual(['/settings/profile', 'photo'])
})

test('a form of an unverified user that fails without a Referer returns to a page open to them', async () => {
  const browser = await registeredBrowser(await testApp(), ann)
  const outcomes = await failed(
    browser,
    ['/settings/passkeys', { name: '', ...passkey }],
    ['/verify-email'],
    ['/verify-email'],
  )
  expect(outcomes).toEqual([
    ['/settings/profile', 'credential'],
    ['/verify-email'],
    ['/verify-email', 'email'],
  ])
})

test('a wrong two-factor code without a Referer returns to the challenge', async () => {
  const app = await testApp()
  const factor = await turnOn(app, await verifiedBrowser(app))
  const browser = app.browser()
  await logIn(browser, ann)
  const outcomes = await failed(browser, ['/two-factor-challenge', { code: factor.wrong() }])
  expect(outcomes).toEqual([['/two-factor-challenge', 'code']])
})

/** Returns where a choice of language leads from the error page of a form at this address, and what is there. */
async function chosenAt(browser: Browser, address: string): Promise<unknown[]> {
  const headers = { Referer: `http://app.test${address}` }
  const { url, status } = await browser.document('/language', language, { headers })
  return [address, url, status]
}

const language = { _method: 'PUT', language: 'de' }

test('a form on the error page of another form returns a user to the page of that form', async () => {
  const browser = await verifiedBrowser(await testApp())
  const outcomes: unknown[] = []
  for (const [address] of errorPages) outcomes.push(await chosenAt(browser, address))
  expect(outcomes).toEqual(errorPages.map(([address, page]) => [address, page, 200]))
})

const errorPages = [
  ['/settings/profile/photo', '/settings/profile'],
  ['/settings/password', '/settings/security'],
  ['/settings/logins', '/settings/security'],
  ['/settings/logins/1', '/settings/security'],
  ['/settings/two-factor', '/settings/security'],
  ['/settings/two-factor/confirm', '/settings/security'],
  ['/settings/two-factor/recovery-codes', '/settings/security'],
  ['/settings/two-factor/recovery-codes/saved', '/settings/security'],
  ['/settings/passkeys', '/settings/security'],
  ['/settings/passkeys/1', '/settings/security'],
  ['/settings/tokens/1?page=2', '/settings/tokens'],
  ['/language', '/'],
  ['/logout', '/'],
  ['/settings/appearance?tab=1', '/settings/appearance?tab=1'],
] as const

test('a form on the error page of another form returns a guest to the page of that form', async () => {
  const browser = (await testApp()).browser()
  const outcomes: unknown[] = []
  for (const address of ['/register/passkey', '/login/passkey', '/reset-password', '/logout'])
    outcomes.push(await chosenAt(browser, address))
  expect(outcomes).toEqual([
    ['/register/passkey', '/register', 200],
    ['/login/passkey', '/login', 200],
    ['/reset-password', '/forgot-password', 200],
    ['/logout', '/', 200],
  ])
})

test('a form on the error page of a photo that is too large returns to the profile', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const fields = { fill: 'x'.repeat(70_000) }
  const photo = { field: 'photo', name: 'a.png', type: 'image/png', content: Buffer.from('') }
  const to = '/settings/profile/photo'
  const { status, url } = await browser.upload(to, photo, fields)
  expect([status, url]).toEqual([413, to])
  const [, ...outcome] = await chosenAt(browser, to)
  expect(outcome).toEqual(['/settings/profile', 200])
})

test('every form has a page of its own, except logout and the choice of language', () => {
  const withPage = new Set(routes.filter(({ method }) => method === 'GET').map(at))
  const forms = routes.filter(({ method, body }) => method !== 'GET' && body !== 'report')
  const without = forms.filter((route) => !route.page && !withPage.has(at(route)))
  const names = without.map(({ name }) => name)
  expect(
    names.filter((name) => !name.endsWith('.options')),
    'Give each other one its `page` in internal/http/routes.ts.',
  ).toEqual(['logout', 'language.update'])
})

function at({ name }: Route): string {
  return paths[name]
}
