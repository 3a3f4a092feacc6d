import { expect, test } from 'vitest'
import type { Page, PageName, PageProps, Pages, User } from '../contract/pages.ts'
import { titles } from '../contract/words.ts'
import { render } from './server.tsx'

const ann: User = {
  id: 1,
  name: 'Ann',
  email: 'ann@example.com',
  emailVerifiedAt: '2026-03-03T23:30:00.000Z',
  twoFactor: false,
  password: true,
  photo: null,
}

const own: Pages = {
  Home: {},
  Dashboard: {},
  Error: { status: 404, message: '' },
  'Auth/Login': {},
  'Auth/Register': {},
  'Auth/VerifyEmail': { email: ann.email },
  'Auth/ForgotPassword': {},
  'Auth/ResetPassword': { token: 'a.b', email: 'ann@x.test' },
  'Auth/ConfirmPassword': { passkey: false },
  Notifications: { notifications: { data: [], page: 1, pages: 1, total: 0 } },
  'Settings/Profile': {},
  'Settings/Security': { logins: [], passkeys: [], twoFactor: { enabled: false, setup: null } },
  'Settings/Appearance': {},
}

function drawn(component: PageName, props: Partial<PageProps<PageName>> & object = {}, flash = {}) {
  const shared = { auth: { user: null }, bell: { unread: 0 }, errors: {} }
  const page: Page = {
    component,
    props: { ...own[component], ...shared, ...props },
    url: '/',
    version: '1',
    flash,
    encryptHistory: true,
    clearHistory: false,
  }
  return render(page)
}

const all = Object.keys(own) as PageName[]

test('the layout follows the page name', () => {
  expect(drawn('Auth/Login')).toContain('class="card-layout"')
  expect(drawn('Dashboard', { auth: { user: ann } })).toContain('data-menu')
  expect(drawn('Error')).toContain('<header class="bar">')
  expect(drawn('Home')).not.toMatch(/card-layout|data-menu/)
})

test('no page carries a style attribute, an inline handler or a script', () => {
  const html = all.map((name) => drawn(name, { auth: { user: ann } })).join('')
  expect(html).not.toMatch(/\sstyle=|\son\w+=|<script/)
})

test('every page has one main part and one main heading', () => {
  const counted = all.map((name) => {
    const html = drawn(name, { auth: { user: ann } })
    return [name, html.split('<main').length - 1, html.split('<h1').length - 1]
  })
  expect(counted).toEqual(all.map((name) => [name, 1, 1]))
})

test('every field has a label', () => {
  const html = drawn('Auth/Register')
  const fields = [...html.matchAll(/<input id="(\w+)"/g)].map(([, id]) => id)
  expect(fields).toEqual(['name', 'email', 'password', 'password_confirmation'])
  expect([...html.matchAll(/<label for="(\w+)"/g)].map(([, id]) => id)).toEqual(fields)
})

test('an error stands at its field, which says that it is invalid', () => {
  const html = drawn('Auth/Login', { errors: { email: 'Not this one.' } })
  expect(html).toMatch(/<input id="email"[^>]* aria-invalid="true" aria-describedby="email-error"/)
  expect(html).toMatch(/<div id="email-error"[^>]*><p[^>]*>Not this one\.<\/p>/)
  expect(html).not.toMatch(/<input id="password"[^>]* aria-invalid/)
})

test('what was typed comes back without JavaScript, a password never', () => {
  const old = { email: 'ann@example.com', remember: 'on', password: 'correct horse' }
  const html = drawn('Auth/Login', { old })
  expect(html).toMatch(/<input id="email"[^>]* value="ann@example.com"/)
  expect(html).toMatch(/name="remember" checked/)
  expect(html).not.toContain('correct horse')
})

test('the flash is in the page for a browser without JavaScript', () => {
  expect(drawn('Home', {}, { success: 'You are logged out.' })).toContain('You are logged out.')
  expect(drawn('Auth/Login', {}, { error: 'Ask again.' })).toMatch(/role="alert">Ask again\./)
})

test('what a person typed cannot become markup', () => {
  const name = '<b title="x">'
  expect(drawn('Dashboard', { auth: { user: { ...ann, name } } })).not.toContain(name)
})

test('one user’s page leaves nothing in the next', () => {
  expect(drawn('Home', { auth: { user: ann } })).toContain('/dashboard')
  expect(drawn('Dashboard', { auth: { user: ann } })).toContain('Ann')
  expect(drawn('Home')).not.toMatch(/Ann|\/dashboard/)
})

test('the bell tells how many notifications are unread, and shows no count without any', () => {
  const auth = { user: ann }
  expect(drawn('Dashboard', { auth, bell: { unread: 1 } })).toContain('1 unread notification<')
  expect(drawn('Dashboard', { auth, bell: { unread: 120 } })).toContain('99+')
  expect(drawn('Dashboard', { auth })).not.toContain('class="count"')
})

test('an error page is called by its status, says what the server says, and shows a stack it is given', () => {
  expect(drawn('Error', { status: 503 })).toContain('<h1>Busy at the moment</h1>')
  expect(drawn('Error', { status: 418 })).toContain(`<h1>${titles.Error}</h1>`)
  expect(drawn('Error', { message: 'Try again.' })).toContain('Try again.')
  expect(drawn('Error', { status: 500, detail: 'at somewhere' })).toMatch(/<pre[^>]*>at somewhere/)
  expect(drawn('Error')).not.toContain('<pre')
})

test('a day is written in UTC, so that server and browser write the same', () => {
  expect(drawn('Dashboard', { auth: { user: ann } })).toContain('Verified on 3 March 2026')
})

test('the settings stand inside the frame of the other pages, with the present one marked', () => {
  const html = drawn('Settings/Security', { auth: { user: ann } })
  expect(html).toContain('data-menu')
  expect(html).toMatch(/href="\/settings\/security" aria-current="page"/)
  expect(html.split('aria-current').length - 1).toBe(1)
})

test('a notification is in its own language, and a new one is marked', () => {
  const line = { id: 1, kind: 'new-login', createdAt: '2026-03-03T23:30:00.000Z', readAt: null }
  const data = [
    { ...line, text: 'Eine neue Anmeldung', language: 'de', unread: true },
    { ...line, id: 2, text: 'A new login', language: 'en', unread: false },
  ]
  const list = { data, page: 1, pages: 1, total: 2 }
  const html = drawn('Notifications', { auth: { user: ann }, notifications: list })
  expect(html).toMatch(/lang="de">Eine neue Anmeldung<\/p><span class="new">/)
  expect(html).toMatch(/lang="en">A new login<\/p><p/)
  expect(html).toContain('3 March 2026, 23:30 UTC')
})

test('without a photo the initials stand: of the first name and the last, and of any script', () => {
  expect(['ann', ' Ann  de Other ', '👩‍👩‍👧 x', 'محمد علي', 'éa'].map(initials)).toEqual([
    'A',
    'AO',
    '👩‍👩‍👧X',
    'مع',
    'É',
  ])
})

test('an account without a password sets one, and one with a passkey can remove it', () => {
  const passkeys = [{ id: 1, name: 'Key', createdAt: '2026-03-03T23:30:00.000Z', lastUsedAt: null }]
  const none = { ...ann, password: false }
  expect(security(none, passkeys)).not.toMatch(/current_password|value="DELETE"/)
  expect(security(ann, [])).not.toContain('value="DELETE"')
  expect(security(ann, passkeys)).toMatch(/current_password.*value="DELETE"/)
})

test('on the profile each error stands in the form it belongs to', () => {
  const errors = { email: 'Not this one.', password: 'Not yours.', photo: 'No photo.' }
  const html = drawn('Settings/Profile', { auth: { user: ann }, errors })
  const forms = html.split('<form').slice(1)
  const at = (error: string) => forms.find((form) => form.includes(error)) ?? ''
  expect(at('Not this one.')).toContain('value="PATCH"')
  expect(at('No photo.')).toContain('multipart/form-data')
  expect(at('Not yours.')).toContain('value="DELETE"')
})

function initials(name: string): string | undefined {
  const html = drawn('Dashboard', { auth: { user: { ...ann, name } } })
  return /class="avatar" aria-hidden="true">([^<]*)</.exec(html)?.[1]
}

function security(user: User, passkeys: Pages['Settings/Security']['passkeys']): string {
  return drawn('Settings/Security', { auth: { user }, passkeys })
}
