import { expect, test } from 'vitest'
import type { Page, PageName, PageProps, Pages, Passkey, User } from '../contract/pages.ts'
import { qrSvg } from '../../internal/base/qr.ts'
import { buttons, titles } from '../contract/words.ts'
import { passkeys as passkeyWords } from '../contract/words/passkeys.ts'
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

const key: Passkey = {
  id: 1,
  name: 'Key',
  createdAt: '2026-03-03T23:30:00.000Z',
  lastUsedAt: null,
  provider: null,
  synced: false,
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
  'Auth/TwoFactorChallenge': {},
  'Auth/RegisterPasskey': { email: 'ann@x.test', name: 'Ann', token: 'a.b' },
  Notifications: { notifications: { data: [], page: 1, pages: 1, total: 0 } },
  'Settings/Profile': { passkey: false, signal: null },
  'Settings/Security': {
    logins: [],
    moreLogins: false,
    passkeys: [],
    twoFactor: { enabled: false, setup: null, codesLeft: null },
    apiTokens: 0,
    signal: null,
  },
  'Settings/Tokens': { tokens: [], expired: [], abilities: ['user:read', '*'], tryAt: '' },
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
  const none = { ...ann, password: false }
  expect(security(none, { passkeys: [key] })).not.toMatch(/current_password|Remove password/)
  expect(security(ann, {})).not.toContain('Remove password')
  expect(security(ann, { passkeys: [key] })).toMatch(/current_password.*Remove password/)
})

test('what the security page shows of two-factor login follows its state', () => {
  const secret = 'ABCDEFGHIJKLMNOP'
  const setup = { secret, url: 'otpauth://totp/app', qr: qrSvg('otpauth://totp/app') }
  const off = { enabled: false, setup: null, codesLeft: null }
  const on = { enabled: true, setup: null, codesLeft: 8 }
  expect(security(ann, { twoFactor: off })).toContain(buttons.turnOnTwoFactor)
  const settingUp = security(ann, { twoFactor: { ...off, setup } })
  expect(settingUp).toContain('<span>ABCD</span><span>EFGH</span>')
  expect(settingUp).toMatch(/href="otpauth:.*autocomplete="one-time-code".*inputmode="numeric"/)
  expect(security(ann, { twoFactor: on })).toMatch(/8 recovery codes are left.*turn-off/)
})

test('two recovery codes or fewer are told with a word to make new ones', () => {
  expect(left(3)).toContain('3 recovery codes are left.')
  expect(left(2)).toContain('Only 2 recovery codes are left. Make new ones')
  expect(left(1)).toContain('Only one recovery code is left. Make new ones')
  expect(left(0)).toContain('No recovery code is left. Make new ones')
  expect(left(0)).not.toContain(buttons.showRecoveryCodes)
})

test('recovery codes are shown from the flash or the prop, and not otherwise', () => {
  const twoFactor = { enabled: true, setup: null, codesLeft: 8 }
  const recoveryCodes = ['aaaaa-11111']
  expect(security(ann, { twoFactor }, { recoveryCodes })).toContain('aaaaa-11111')
  expect(security(ann, { twoFactor, recoveryCodes })).toContain('aaaaa-11111')
  expect(security(ann, { twoFactor })).not.toContain('id="recovery-codes"')
  const none = security(ann, { twoFactor, recoveryCodes: [] })
  expect(none).toContain('No recovery code is left. Make new ones')
  expect(none).not.toContain('id="recovery-codes"')
})

test('the QR code is drawn as the server made it', () => {
  const setup = { secret: 'AAAA', url: 'otpauth://totp/app', qr: qrSvg('otpauth://totp/app') }
  const html = security(ann, { twoFactor: { enabled: false, setup, codesLeft: null } })
  expect(paths(html)).toEqual(paths(setup.qr))
  expect(paths(html)).toHaveLength(2)
})

test('a passkey is told with its name, who keeps it, and whether it is synced and used', () => {
  const kept = { ...key, provider: '1Password', synced: true, lastUsedAt: key.createdAt }
  expect(security(ann, { passkeys: [kept] })).toMatch(/Key<.*Synced.*1Password.*Last used/)
  expect(security(ann, { passkeys: [key] })).not.toMatch(/Synced|Last used/)
})

test('ten passkeys are the most, and the only way in is told', () => {
  const ten = Array.from({ length: 10 }, (_, id) => ({ ...key, id }))
  expect(security(ann, { passkeys: ten })).toContain(passkeyWords.full)
  expect(security(ann, { passkeys: ten })).not.toContain(buttons.addPasskey)
  const none = { ...ann, password: false }
  expect(security(none, { passkeys: [key] })).toContain(passkeyWords.onlyWay)
  expect(security(none, { passkeys: ten })).not.toContain(passkeyWords.onlyWay)
  expect(security(ann, { passkeys: [key] })).not.toContain(passkeyWords.onlyWay)
})

test('an account without a password confirms and is deleted with a passkey alone', () => {
  const auth = { user: { ...ann, password: false } }
  const confirm = drawn('Auth/ConfirmPassword', { auth, passkey: true })
  expect(confirm).toContain(buttons.usePasskey)
  expect(confirm).not.toContain('name="password"')
  expect(drawn('Auth/ConfirmPassword', { auth: { user: ann } })).not.toContain(buttons.usePasskey)
  const profile = drawn('Settings/Profile', { auth })
  expect(profile).toMatch(/value="DELETE".*data-passkey="get"/)
  expect(profile).not.toContain('name="password"')
})

test('the page that makes the passkey sends email and name along, as the link does', () => {
  const html = drawn('Auth/RegisterPasskey', { email: 'a+b@x.test', name: 'Ann & Bob' })
  const query = '?email=a%2Bb%40x.test&amp;name=Ann+%26+Bob"'
  expect(html).toContain(`action="/register/passkey/a.b${query}`)
  expect(html).toContain(`data-options="/register/passkey/a.b/options${query}`)
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

function left(codesLeft: number): string {
  return security(ann, { twoFactor: { enabled: true, setup: null, codesLeft } })
}

function paths(svg: string): string[] {
  return [...svg.matchAll(/<path fill="[^"]+" d="[^"]+"/g)].map(String)
}

function security(user: User, props: Partial<Pages['Settings/Security']>, flash = {}): string {
  return drawn('Settings/Security', { auth: { user }, ...props }, flash)
}
