import { expect, test } from 'vitest'
import { frontend } from '#frontend/en'
import { setUpOf } from '../../internal/domain/two-factor/set-up.ts'
import { elementAttributes, withoutComments } from '../../internal/testing/formats/html.ts'
import { examplePages } from './examples/examples.ts'
import { mostPasskeys } from './limits.ts'
import type { MailSent, Page, PageName, PageProps, Pages, Passkey, User } from './pages.ts'
import { productPages } from './view/product-pages.ts'
import { account } from '#words/account'
import { buttons } from '#words/buttons'
import { dashboard } from '#words/dashboard'
import { mailSent } from '#words/auth/mail-sent'
import { resetOver } from '#words/auth/recover'
import { passkeys as passkeyWords } from '#words/settings/passkeys'
import { security as securityWords } from '#words/settings/security'
import { twoFactor as twoFactorWords } from '#words/settings/two-factor'

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

const sent: MailSent = {
  email: 'Ann@x.test',
  fields: { email: 'Ann@x.test' },
  subjects: ['Verify your email'],
  from: { name: 'app', address: 'accounts@x.test' },
  seconds: 42,
  until: '2026-03-03T23:30:42.000Z',
}

const defaultProps: Pages = {
  Home: {},
  Dashboard: { passkeys: 0, codesLeft: null, codesSaved: false },
  Error: { status: 404, message: '' },
  'Auth/Login': {},
  'Auth/Register': {},
  'Auth/VerifyEmail': { email: ann.email, sent },
  'Auth/ForgotPassword': {},
  'Auth/ResetPassword': { token: 'a.b', email: 'ann@x.test', valid: true },
  'Auth/ConfirmPassword': { passkey: false },
  'Auth/TwoFactorChallenge': {},
  'Auth/RegisterPasskey': { email: 'ann@x.test', name: 'Ann', token: 'a.b' },
  Notifications: { notifications: { data: [], page: 1, pages: 1, total: 0 }, onlyUnread: false },
  'Settings/Profile': { passkey: false, signal: null },
  'Settings/Security': {
    logins: [],
    moreLogins: false,
    passkeys: [],
    twoFactor: { enabled: false, setup: null, codeMarks: [], codesLeft: null, codesSaved: false },
    apiTokens: 0,
    signal: null,
  },
  'Settings/Tokens': { tokens: [], expired: [], abilities: ['user:read', '*'], tryAt: '' },
  'Settings/Appearance': {},
}

async function renderPage(
  component: PageName,
  props: Partial<PageProps<PageName>> & object = {},
  flash = {},
): Promise<string> {
  const sharedProps = {
    auth: { user: null },
    bell: { unread: 0 },
    errors: {},
    language: 'en' as const,
  }
  const page: Page = {
    component,
    props: { ...defaultProps[component], ...sharedProps, ...props },
    url: '/',
    version: '1',
    flash,
    encryptHistory: true,
    clearHistory: false,
  }
  return withoutComments(await frontend.render(page))
}

const pageNames = Object.keys(defaultProps) as PageName[]

/** Returns the layout of a page, recognized by its markup. */
function layoutIn(html: string): string {
  if (html.includes('class="card-layout"')) return 'card'
  if (html.includes('class="settings"')) return 'settings'
  return html.includes('<header class="bar">') && html.includes('data-menu') ? 'app' : 'none'
}

test('the layout follows the page name', async () => {
  const auth = { auth: { user: ann } }
  const entries = pageNames.map(
    async (name) => [name, layoutIn(await renderPage(name, auth))] as const,
  )
  const layouts = new Map(await Promise.all(entries))
  for (const [name, layout] of layouts) expect([name, layout]).toEqual([name, layoutOf(name)])
  expect(await renderPage('Error')).toContain('<header class="bar">')
})

/** Returns the layout that the specification demands. */
function layoutOf(name: PageName): string {
  if (name === 'Home') return 'none'
  if (name.startsWith('Auth/')) return 'card'
  return name.startsWith('Settings/') ? 'settings' : 'app'
}

test('the email field of the login form offers passkeys by its autocomplete attribute', async () => {
  const inputs = elementAttributes(await renderPage('Auth/Login'), 'input')
  expect(inputs.find(({ name }) => name === 'email')).toMatchObject({
    autocomplete: 'username webauthn',
  })
})

test('no page has a style attribute, an inline event handler or a script', async () => {
  const html = await Promise.all(pageNames.map((name) => renderPage(name, { auth: { user: ann } })))
  expect(html.join('')).not.toMatch(/\sstyle=|\son\w+=|<script/)
})

test('every page has one main part and one main heading', async () => {
  const html = await Promise.all(pageNames.map((name) => renderPage(name, { auth: { user: ann } })))
  const counts = html.map((page, index) => [
    pageNames[index],
    elementAttributes(page, 'main').length,
    elementAttributes(page, 'h1').length,
  ])
  expect(counts).toEqual(pageNames.map((name) => [name, 1, 1]))
})

test('every field of the register form has a label', async () => {
  const html = await renderPage('Auth/Register')
  const fields = elementAttributes(html, 'input').map(({ id }) => id)
  expect(fields).toEqual(['name', 'email', 'password', 'password_confirmation'])
  expect(elementAttributes(html, 'label').map((label) => label['for'])).toEqual(fields)
})

test('an error is displayed at its field, which is marked as invalid and refers to it', async () => {
  const html = await renderPage('Auth/Login', { errors: { email: 'Not this one.' } })
  const [email, password] = elementAttributes(html, 'input')
  expect(email).toMatchObject({ 'aria-invalid': 'true', 'aria-describedby': 'email-error' })
  expect(html).toMatch(/<div id="email-error"[^>]*><p[^>]*>Not this one\.<\/p>/)
  expect(password).not.toHaveProperty('aria-invalid')
})

test('a form shown again has the typed email and checkbox, but never the password', async () => {
  const old = { email: 'ann@example.com', remember: 'on', password: 'correct horse' }
  const html = await renderPage('Auth/Login', { old })
  const [email, , remember] = elementAttributes(html, 'input')
  expect(email).toHaveProperty('value', old.email)
  expect(remember).toHaveProperty('checked')
  expect(html).not.toContain('correct horse')
})

test('the flash is part of the rendered page', async () => {
  expect(await renderPage('Home', {}, { success: 'You are logged out.' })).toContain(
    'You are logged out.',
  )
  expect(await renderPage('Auth/Login', {}, { error: 'Ask again.' })).toMatch(
    /role="alert"[^>]*>Ask again\./,
  )
})

test('markup in a user’s name is escaped', async () => {
  const name = '<b title="x">'
  expect(await renderPage('Dashboard', { auth: { user: { ...ann, name } } })).not.toContain(name)
})

test('a page rendered for a user leaves nothing in the next page', async () => {
  expect(await renderPage('Home', { auth: { user: ann } })).toContain('/dashboard')
  expect(await renderPage('Dashboard', { auth: { user: ann } })).toContain('Ann')
  expect(await renderPage('Home')).not.toMatch(/Ann|\/dashboard/)
})

test('the bell shows the number of unread notifications, and no number when there are none', async () => {
  const auth = { user: ann }
  expect(await renderPage('Dashboard', { auth, bell: { unread: 1 } })).toContain(
    '1 unread notification<',
  )
  expect(await renderPage('Dashboard', { auth, bell: { unread: 120 } })).toContain('99+')
  expect(await renderPage('Dashboard', { auth })).not.toContain('class="count"')
})

test('an error page has a heading for its status, the server’s message and the stack if it has one', async () => {
  expect(await renderPage('Error', { status: 503 })).toContain(
    '<h1>Not available at the moment</h1>',
  )
  expect(await renderPage('Error', { status: 418 })).toContain(
    '<h1>This could not be answered</h1>',
  )
  expect(await renderPage('Error', { message: 'Try again.' })).toContain('Try again.')
  expect(await renderPage('Error', { status: 500, detail: 'at somewhere' })).toMatch(
    /<pre[^>]*>at somewhere/,
  )
  expect(await renderPage('Error')).not.toContain('<pre')
})

test('the button of an error page retries, or leads to the dashboard or the landing page', async () => {
  const auth = { user: ann }
  expect(await mainButtonTargets({ status: 500, auth, again: '/settings?a=1' })).toEqual([
    '/settings?a=1',
  ])
  expect(await mainButtonTargets({ status: 500, auth })).toEqual(['/dashboard'])
  expect(await mainButtonTargets({ status: 404 })).toEqual(['/'])
})

test('an empty list shows an icon, what is missing, and a hint', async () => {
  const empty = /class="empty"><svg.*?<\/svg><(h[23])>([^<]+)<\/\1><p class="hint">[^<]+\.<\/p>/
  const auth = { user: ann }
  const headings = [
    await renderPage('Notifications', { auth }),
    await renderPage('Notifications', { auth, onlyUnread: true }),
    await renderPage('Settings/Tokens', { auth }),
    await renderSecurity(ann, {}),
  ].map((html) => empty.exec(html)?.[2])
  expect(headings).toEqual(['Nothing yet', 'Nothing unread', 'No token yet', 'No passkey yet'])
  expect(await renderSecurity(ann, { passkeys: [key] })).not.toContain('class="empty"')
})

test('a day is written in UTC, with the text that the client replaces it with', async () => {
  const html = await renderPage('Dashboard', { auth: { user: ann } })
  expect(html).toContain('>Verified on 3 March 2026</time>')
  const [time] = elementAttributes(html, 'time')
  expect(time).toMatchObject({ datetime: ann.emailVerifiedAt, 'data-day': 'Verified on {time}' })
})

test('a token shows when it was created and last used and when it expires, in one sentence each', async () => {
  const at = '2026-03-03T23:30:00.000Z'
  const token = { id: 1, name: 'CI', abilities: [], createdAt: at, lastUsedAt: at, expiresAt: at }
  const [validHtml, expiredHtml] = [[], [1]].map((expired) =>
    renderPage('Settings/Tokens', { auth: { user: ann }, tokens: [token], expired }),
  )
  const sentences = elementAttributes((await validHtml) ?? '', 'time').map((time) => [
    time['data-relative'],
    time['data-day'],
  ])
  expect(sentences).toEqual([
    ['Made {time}', undefined],
    ['Last used {time}', undefined],
    [undefined, 'Expires {time}'],
  ])
  expect(await expiredHtml).toContain('>Expired 3 March 2026</time>')
})

test('the languages are chosen under one heading, each by its own name', async () => {
  const html = await renderPage('Settings/Appearance', { auth: { user: ann } })
  expect(html).toContain('<legend class="visually-hidden">Language</legend>')
  expect(html).toMatch(/<span lang="en">English<\/span>.*<span lang="de">Deutsch<\/span>/)
})

test('the profile says at the email that it is not verified, and has a button for another link', async () => {
  const unverified = { ...ann, emailVerifiedAt: null }
  const html = await renderPage('Settings/Profile', { auth: { user: unverified } })
  expect(html).toMatch(/name="email".*not verified yet.*form="resend".*>Save<\/button><\/form>/)
  const form = elementAttributes(html, 'form').find(({ id }) => id === 'resend')
  expect(form?.action).toBe('/verify-email')
  expect(await renderPage('Settings/Profile', { auth: { user: ann } })).not.toContain(
    'form="resend"',
  )
})

test('the settings use the layout of the other pages, and their navigation marks the current page', async () => {
  const html = await renderPage('Settings/Security', { auth: { user: ann } })
  expect(html).toContain('data-menu')
  const currentLinks = elementAttributes(html, 'a').filter(
    (link) => link['aria-current'] === 'page',
  )
  expect(currentLinks.map(({ href }) => href)).toEqual(['/settings/security'])
  expect(html.split('aria-current').length - 1).toBe(1)
})

test('the dashboard lists the first steps still to be done, and none when all are done', async () => {
  const photo = '/files/a.png'
  const steps = async (user: Partial<User>, props: Partial<Pages['Dashboard']>) => {
    const html = await renderPage('Dashboard', { auth: { user: { ...ann, ...user } }, ...props })
    return elementAttributes(html, 'a').flatMap(({ class: className, href }) =>
      className === 'step' ? [href] : [],
    )
  }
  const [passkey, twoFactor] = ['/settings/security#passkeys', '/settings/security#two-factor']
  expect(await steps({}, {})).toEqual([passkey, twoFactor, '/settings/profile#picture'])
  expect(await steps({ photo }, { passkeys: 1 })).toEqual([twoFactor])
  expect(await steps({ photo, password: false }, { passkeys: 1 })).toEqual([])
  const user = { photo, twoFactor: true }
  const counts = { passkeys: 1, codesLeft: 3 }
  expect(await steps(user, { ...counts, codesLeft: 2, codesSaved: true })).toEqual([twoFactor])
  expect(await steps(user, { ...counts, codesSaved: false })).toEqual([twoFactor])
  expect(await steps(user, { ...counts, codesSaved: true })).toEqual([])
  expect(await renderPage('Dashboard', { auth: { user: ann } })).toContain(dashboard.done(1, 4))
})

test('the header links to the pages of the product for a logged-in user, not for a guest', async () => {
  expect(expectedLinks('Dashboard')).toContainEqual(['/dashboard', 'page'])
  expect(await headerLinks('Dashboard', ann)).toEqual(expectedLinks('Dashboard'))
  expect(await headerLinks('Settings/Profile', ann)).toEqual(expectedLinks('Settings/Profile'))
  expect(await headerLinks('Error', null)).toEqual([])
})

test('a notification is marked with its language and, if new, with a dot', async () => {
  const at = { createdAt: '2026-03-03T23:30:00.000Z', readAt: null }
  const line = { id: 1, kind: 'new-login', ...at, href: null, address: null }
  const data = [
    { ...line, text: 'Eine neue Anmeldung', language: 'de', unread: true },
    { ...line, id: 2, text: 'A new login', language: 'en', unread: false },
  ]
  const list = { data, page: 1, pages: 1, total: 2 }
  const html = await renderPage('Notifications', { auth: { user: ann }, notifications: list })
  expect(html).toMatch(/lang="de"[^>]*>Eine neue Anmeldung<\/p>\s*<span class="new">/)
  expect(html).toMatch(/lang="en"[^>]*>A new login<\/p>\s*<p/)
  expect(html).toContain('3 March 2026, 23:30 UTC')
})

test('a notification links to its settings page and shows its address, and each list has an older page', async () => {
  const at = '2026-03-03T23:30:00.000Z'
  const line = { id: 1, kind: 'new-login', text: 'A new login', language: 'en', createdAt: at }
  const rest = {
    readAt: null,
    unread: true,
    address: '203.0.113.9',
    href: '/settings/security#logins',
  }
  const list = { data: [{ ...line, ...rest }], page: 1, pages: 2, total: 21 }
  const auth = { user: ann }
  const allHtml = await renderPage('Notifications', { auth, notifications: list })
  expect(allHtml).toMatch(
    /<a [^>]*href="\/settings\/security#logins"[^>]*>A new login<\/a>.*203\.0\.113\.9/,
  )
  const unreadHtml = await renderPage('Notifications', {
    auth,
    notifications: list,
    onlyUnread: true,
  })
  const currentLinks = [allHtml, unreadHtml].map((html) =>
    elementAttributes(html, 'a').flatMap((link) =>
      link.class === 'which-way' && link['aria-current'] ? [link.href] : [],
    ),
  )
  expect(currentLinks).toEqual([['/notifications'], ['/notifications?unread']])
  const olderLinks = [allHtml, unreadHtml].map((html) =>
    elementAttributes(html, 'a').find(({ rel }) => rel === 'next'),
  )
  expect(olderLinks.map((link) => link?.href)).toEqual([
    '/notifications?page=2',
    '/notifications?unread&seen=1',
  ])
})

test('a user without a photo has the initials of the first and last name, in any script', async () => {
  const names = ['ann', ' Ann  de Other ', '👩‍👩‍👧 x', 'محمد علي', 'éa', 'Ann Lee (she/her)', '(x)']
  const rendered = await Promise.all(['\u200dann', ...names].map(renderInitials))
  // Two Arabic letters do not join into a word.
  const expected = ['A', 'A\u200cO', '👩‍👩‍👧\u200cX', 'م\u200cع', 'É', 'A\u200cL', '(']
  expect(rendered).toEqual(['A', ...expected])
})

test('an account without a password can set one, and an account with a passkey can remove its password', async () => {
  const withoutPassword = { ...ann, password: false }
  expect(await renderSecurity(withoutPassword, { passkeys: [key] })).not.toMatch(
    /current_password|Remove password/,
  )
  expect(await renderSecurity(ann, {})).not.toContain('Remove password')
  expect(await renderSecurity(ann, { passkeys: [key] })).toMatch(
    /current_password.*Remove password/,
  )
})

test('the security page shows two-factor login as off, during setup, and as on', async () => {
  const secret = 'ABCDEFGHIJKLMNOP'
  const setup = setUpOf(secret, ann.email)
  const off = { enabled: false, setup: null, codeMarks: [], codesLeft: null, codesSaved: false }
  const on = { enabled: true, setup: null, codeMarks: [], codesLeft: 8, codesSaved: true }
  expect(await renderSecurity(ann, { twoFactor: off })).toContain(buttons.turnOnTwoFactor)
  const html = await renderSecurity(ann, { twoFactor: { ...off, setup } })
  expect(html).toContain('<span>ABCD</span><span>EFGH</span>')
  expect(elementAttributes(html, 'a').map(({ href }) => href)).toContain(setup.url)
  const code = elementAttributes(html, 'input').find(({ name }) => name === 'code')
  expect(code).toMatchObject({ autocomplete: 'one-time-code', inputmode: 'numeric' })
  expect(await renderSecurity(ann, { twoFactor: on })).toMatch(
    /8 recovery codes are left.*turn-off/,
  )
})

test('whoever turns two-factor login off reads that a password alone then logs them in, now or once they have one', async () => {
  const twoFactor = { enabled: true, setup: null, codeMarks: [], codesLeft: 8, codesSaved: true }
  const html = await renderSecurity({ ...ann, password: true }, { twoFactor })
  const withoutPassword = await renderSecurity({ ...ann, password: false }, { twoFactor })
  expect([html, withoutPassword].map((text) => text.includes(twoFactorWords.sureText))).toEqual([
    true,
    false,
  ])
  expect(withoutPassword).toContain(twoFactorWords.sureTextNoPassword)
})

test('a user with two or fewer recovery codes is asked to make new ones', async () => {
  expect(await renderWithCodesLeft(3)).toContain('3 recovery codes are left.')
  expect(await renderWithCodesLeft(2)).toContain('Only 2 recovery codes are left. Make new ones')
  expect(await renderWithCodesLeft(1)).toContain('Only one recovery code is left. Make new ones')
  expect(await renderWithCodesLeft(0)).toContain('No recovery code is left. Make new ones')
  expect(await renderWithCodesLeft(0)).not.toContain(buttons.showRecoveryCodes)
})

test('recovery codes are shown from the flash or the prop, and not otherwise', async () => {
  const twoFactor = { enabled: true, setup: null, codeMarks: [], codesLeft: 8, codesSaved: true }
  const recoveryCodes = ['aaaaa-11111']
  expect(await renderSecurity(ann, { twoFactor }, { recoveryCodes })).toContain('aaaaa-11111')
  expect(await renderSecurity(ann, { twoFactor, recoveryCodes })).toContain('aaaaa-11111')
  expect(await renderSecurity(ann, { twoFactor })).not.toContain('id="recovery-codes"')
  const html = await renderSecurity(ann, { twoFactor, recoveryCodes: [] })
  expect(html).toContain('No recovery code is left. Make new ones')
  expect(html).not.toContain('id="recovery-codes"')
})

test('recovery codes are shown with a button that confirms saving them, until they are saved', async () => {
  const twoFactor = { enabled: true, setup: null, codeMarks: [], codesLeft: 8, codesSaved: false }
  const recoveryCodes = ['aaaaa-11111']
  const form = 'action="/settings/two-factor/recovery-codes/saved"'
  const unsaved = await renderSecurity(ann, { twoFactor }, { recoveryCodes })
  expect(unsaved).toContain(form)
  expect(unsaved).toContain('You have not saved them yet.')
  expect(unsaved).toContain('Save your recovery codes')
  expect(await renderSecurity(ann, { twoFactor })).not.toContain(form)
  const saved = { ...twoFactor, codesSaved: true }
  const savedHtml = await renderSecurity(ann, { twoFactor: saved }, { recoveryCodes })
  expect(savedHtml).not.toMatch(/recovery-codes\/saved|not saved|Save your/)
})

test('the QR code is drawn as the server made it', async () => {
  const setup = setUpOf('AAAA', ann.email)
  const html = await renderSecurity(ann, {
    twoFactor: { enabled: false, setup, codeMarks: [], codesLeft: null, codesSaved: false },
  })
  expect(pathsOf(html)).toEqual(pathsOf(setup.qr))
  expect(pathsOf(html)).toHaveLength(2)
})

test('a passkey shows its name, its provider, whether it is synced and when it was last used', async () => {
  const syncedKey = { ...key, provider: '1Password', synced: true, lastUsedAt: key.createdAt }
  expect(await renderSecurity(ann, { passkeys: [syncedKey] })).toMatch(
    /Key<.*Synced.*1Password.*Last used/,
  )
  expect(await renderSecurity(ann, { passkeys: [key] })).toMatch(/Key<.*On one device only/)
  expect(await renderSecurity(ann, { passkeys: [key] })).not.toMatch(/Synced|Last used/)
})

test('the security page begins with a summary of logins and missing steps, linked to its sections', async () => {
  const login = {
    id: 'a',
    browser: 'Safari on iOS',
    address: '203.0.113.9',
    loggedInAt: '2026-03-03T23:30:00.000Z',
    lastSeenAt: '2026-03-03T23:30:00.000Z',
    current: true,
    device: 'phone',
  } as const
  const olderLogin = {
    ...login,
    id: 'b',
    browser: 'Firefox on Linux',
    device: null,
    current: false,
  }
  const logins = [{ ...olderLogin, loggedInAt: '2026-03-02T23:30:00.000Z' }, login]
  const html = await renderSecurity(ann, { logins })
  const summary = html.slice(html.indexOf('<section'), html.indexOf('</section>'))
  expect(summary).toContain(account.waysIn(true, 0))
  expect(summary).toMatch(/Safari on iOS<.*3 March 2026, 23:30 UTC.*2 logged in/)
  const targets = elementAttributes(summary, 'a').map(({ href = '' }) => href)
  expect(targets.slice(0, 2)).toEqual(['#two-factor', '#passkeys'])
  const ids = new Set(elementAttributes(html, 'section').map(({ id }) => `#${id}`))
  expect(targets.filter((target) => !ids.has(target))).toEqual([])
  expect(targets.length).toBe(2 + 6)
  const safeHtml = await renderSecurity({ ...ann, twoFactor: true }, { passkeys: [key] })
  expect(safeHtml).toContain(securityWords.missing.nothing)
  const passkeyOnlyHtml = await renderSecurity({ ...ann, password: false }, { passkeys: [key] })
  expect(passkeyOnlyHtml).toContain(securityWords.missing.secondWay)
})

test('at the maximum of passkeys no other can be added, and the only way to log in is marked as such', async () => {
  const maximum = Array.from({ length: mostPasskeys }, (_, id) => ({ ...key, id }))
  expect(await renderSecurity(ann, { passkeys: maximum })).toContain(passkeyWords.full)
  expect(await renderSecurity(ann, { passkeys: maximum })).not.toContain(buttons.addPasskey)
  const withoutPassword = { ...ann, password: false }
  expect(await renderSecurity(withoutPassword, { passkeys: [key] })).toContain(passkeyWords.onlyWay)
  expect(await renderSecurity(withoutPassword, { passkeys: maximum })).not.toContain(
    passkeyWords.onlyWay,
  )
  expect(await renderSecurity(ann, { passkeys: [key] })).not.toContain(passkeyWords.onlyWay)
})

test('an account without a password confirms and is deleted with a passkey only', async () => {
  const auth = { user: { ...ann, password: false } }
  const confirm = await renderPage('Auth/ConfirmPassword', { auth, passkey: true })
  expect(confirm).toContain(buttons.usePasskey)
  expect(confirm).not.toContain('name="password"')
  expect(await renderPage('Auth/ConfirmPassword', { auth: { user: ann } })).not.toContain(
    buttons.usePasskey,
  )
  const profile = await renderPage('Settings/Profile', { auth })
  expect(profile).toMatch(/value="DELETE".*data-passkey="get"/)
  expect(profile).not.toContain('name="password"')
})

test('the page that creates a passkey sends the email and name of its link', async () => {
  const html = await renderPage('Auth/RegisterPasskey', { email: 'a+b@x.test', name: 'Ann & Bob' })
  const query = '?email=a%2Bb%40x.test&amp;name=Ann+%26+Bob"'
  expect(html).toContain(`action="/register/passkey/a.b${query}`)
  expect(html).toContain(`data-options="/register/passkey/a.b/options${query}`)
})

test('a mail just sent replaces its form, with its address, subject and sender', async () => {
  const name = 'Ann'
  const props = { sent: { ...sent, fields: { name, email: sent.email } } }
  const html = [
    await renderPage('Auth/ForgotPassword', props),
    await renderPage('Auth/Register', props),
    await renderPage('Auth/VerifyEmail', props),
  ]
  const texts = [mailSent.heading, sent.email, ...sent.subjects, 'app', 'accounts@x.test']
  expect(html.map((page) => texts.filter((text) => !page.includes(text)))).toEqual([[], [], []])
  const inputs = html.map((page) =>
    elementAttributes(page, 'input').map(({ type, value }) => [type, value]),
  )
  const hidden = [
    ['hidden', name],
    ['hidden', sent.email],
  ]
  expect(inputs).toEqual([hidden, hidden, hidden])
  expect(html[0]).toMatch(/action="\/forgot-password"[^]*href="\/forgot-password\?another"/)
  expect(html[1]).toMatch(/action="\/register\/passkey"[^]*href="\/register\?another"/)
  expect(html[2]).toMatch(/action="\/verify-email"[^]*href="\/settings\/profile"/)
})

test('the button that sends a mail again shows the time to wait, but works without JavaScript', async () => {
  const html = await renderPage('Auth/ForgotPassword', { sent })
  const [button = {}] = elementAttributes(html, 'button')
  expect(html).toContain(`<span class="with-script">${mailSent.againIn(42)}</span>`)
  expect(html).toContain(`<span class="without-script">${mailSent.again}</span></button>`)
  expect(button).toMatchObject({ type: 'submit', 'data-idle': mailSent.again })
  expect(Object.keys(button)).not.toContain('aria-label')
  expect(Object.keys(button).filter((name) => /disabled/.test(name))).toEqual([])
  const props = { sent: { ...sent, seconds: 0 } }
  expect(await renderPage('Auth/ForgotPassword', props)).toContain(`>${mailSent.again}</button>`)
  expect(await renderPage('Auth/VerifyEmail', props)).toContain(`>${buttons.resend}</button>`)
  expect(await renderPage('Auth/ForgotPassword', props)).not.toContain('data-wait')
})

test('a mail with two possible subjects shows both, and one without a sender shows none', async () => {
  const subjects = ['Reset it', 'Set it']
  const html = await renderPage('Auth/ForgotPassword', { sent: { ...sent, subjects, from: null } })
  expect(html).toContain(mailSent.subjects('Reset it', 'Set it'))
  expect(html).not.toContain(`>${mailSent.from}<`)
})

test('an error is displayed with the mail to be sent again', async () => {
  const errors = { email: 'Not this one.' }
  const html = [
    await renderPage('Auth/Register', { sent, errors }),
    await renderPage('Auth/VerifyEmail', { errors }),
    await renderPage('Auth/ResetPassword', { valid: false, errors }),
  ]
  expect(html.filter((page) => !/role="alert"><p[^>]*>Not this one\./.test(page))).toEqual([])
})

test('a form for another address has the values typed before', async () => {
  const typed = { name: 'Ann', email: 'ann@x.test' }
  const forgot = await renderPage('Auth/ForgotPassword', { typed })
  const register = await renderPage('Auth/Register', { typed })
  expect(elementAttributes(forgot, 'input')).toMatchObject([{ name: 'email', value: typed.email }])
  expect(elementAttributes(register, 'input').slice(0, 2)).toMatchObject([
    { name: 'name', value: typed.name },
    { name: 'email', value: typed.email },
  ])
})

test('an expired reset link shows a button for a new link instead of the password fields', async () => {
  const html = await renderPage('Auth/ResetPassword', { valid: false })
  expect(html).toContain(resetOver.heading)
  expect(html).toContain('action="/forgot-password"')
  expect(elementAttributes(html, 'input')).toMatchObject([{ type: 'hidden', value: 'ann@x.test' }])
  // The address may have been cut off with the rest of the link.
  expect(html).toMatch(new RegExp(`<a href="/forgot-password">${mailSent.another}</a>`))
  const withoutEmail = await renderPage('Auth/ResetPassword', { valid: false, email: '' })
  expect(withoutEmail).toMatch(/<a [^>]*href="\/forgot-password"[^>]*>/)
  expect(elementAttributes(withoutEmail, 'input')).toEqual([])
})

test('each error on the profile is displayed in its own form', async () => {
  const errors = { email: 'Not this one.', password: 'Not yours.', photo: 'No photo.' }
  const html = await renderPage('Settings/Profile', { auth: { user: ann }, errors })
  const forms = html.split('<form').slice(1)
  const formWith = (error: string) => forms.find((form) => form.includes(error)) ?? ''
  expect(formWith('Not this one.')).toContain('value="PATCH"')
  expect(formWith('No photo.')).toContain('multipart/form-data')
  expect(formWith('Not yours.')).toContain('value="DELETE"')
})

async function renderInitials(name: string): Promise<string | undefined> {
  const html = await renderPage('Dashboard', { auth: { user: { ...ann, name } } })
  return /class="avatar"[^>]*>([^<]*)</.exec(html)?.[1]
}

/** Returns the target of the main button of an error page. */
async function mainButtonTargets(props: object): Promise<unknown[]> {
  const links = elementAttributes(await renderPage('Error', props), 'a')
  return links.flatMap(({ class: className, href }) =>
    className === 'button primary' ? [href] : [],
  )
}

async function renderWithCodesLeft(codesLeft: number): Promise<string> {
  return renderSecurity(ann, {
    twoFactor: { enabled: true, setup: null, codeMarks: [], codesLeft, codesSaved: true },
  })
}

function pathsOf(svg: string): object[] {
  return elementAttributes(svg, 'path').filter(({ fill }) => fill)
}

async function renderSecurity(
  user: User,
  props: Partial<Pages['Settings/Security']>,
  flash = {},
): Promise<string> {
  return renderPage('Settings/Security', { auth: { user }, ...props }, flash)
}

/** Returns the links that the header should have on a page. */
function expectedLinks(current: PageName): unknown[] {
  return productPages.map(({ component, href }) => [
    href,
    component === current ? 'page' : undefined,
  ])
}

/** Returns the links of the header, and which one is marked as the current page. */
async function headerLinks(name: PageName, user: User | null): Promise<unknown[]> {
  const links = elementAttributes(await renderPage(name, { auth: { user } }), 'a')
  return links.flatMap((link) =>
    link.class === 'product-way' ? [[link.href, link['aria-current']]] : [],
  )
}

test('every form has the ID of the user it is shown to, and a form of a guest has none', async () => {
  const findings: string[] = []
  const users = new Set<boolean>()
  for (const [name, page] of examplePages('en')) {
    const { user } = page.props.auth
    const forms = (await frontend.render(page)).split(/<form\b/).slice(1)
    for (const form of forms) {
      const [fields = ''] = form.split('</form>')
      const userFields = elementAttributes(fields, 'input').filter(({ name }) => name === '_user')
      const expected = user ? [String(user.id)] : []
      if (userFields.map(({ value }) => value).join() !== expected.join())
        findings.push(`${name}: ${form.slice(0, 90)}`)
      users.add(user !== null)
    }
  }
  expect([findings, users]).toEqual([[], new Set([true, false])])
})
