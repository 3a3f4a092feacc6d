import { expect, test } from 'vitest'
import {
  addNewPasskey,
  requestPasskeyOptions,
  newAuthenticator,
  requestConfirmOptions,
} from '../../testing/passkeys.ts'
import { rowsOfAccounts } from '../../testing/database/rows-of-accounts.ts'
import { afterPasswordCheck, beforeNextTransaction } from '../../testing/app-hooks.ts'
import { ann, bob, logIn, registeredBrowser, registration } from '../../testing/people.ts'
import { chosen, png } from '../../testing/formats/photos.ts'
import { allLogins, allNotifications, allUsers, deleteLogins } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { beginTwoFactorSetup, turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import { codeAt } from '../../testing/totp.ts'
import { flashWords } from '#words/flash'
import { routes } from '../routes.ts'
import { renameField } from '../../../web/contract/rename-field.ts'
import type { RouteName } from '../../../web/contract/paths.ts'
import type { Config } from '../../base/settings/config.ts'
import type { OpenApp } from '../../open-app.ts'
import type { Browser, SendOptions, Visit } from '../../testing/browser.ts'

/** Prepares a change, and returns the function that sends it. */
type Ready = (app: TestApp, browser: Browser) => Promise<(sending: SendOptions) => Promise<Visit>>

// Gives a form without fields a body, which can be delayed.
const plain = { _method: 'POST' }

/** Sends a form with these fields, without preparation. */
function form(url: string, fields: Readonly<Record<string, string>> = plain): Ready {
  return async (_app, browser) => (sending) => browser.post(url, fields, sending)
}

/** Sends a form with these fields, after `prepare`. */
function after(
  prepare: (app: TestApp, browser: Browser) => Promise<unknown>,
  url: string,
  fields: Readonly<Record<string, string>> = plain,
): Ready {
  return async (app, browser) => {
    await prepare(app, browser)
    return (sending) => browser.post(url, fields, sending)
  }
}

const addPasskey = (_app: TestApp, browser: Browser) => addNewPasskey(browser, newAuthenticator())
const makeToken = (_app: TestApp, browser: Browser) =>
  browser.post('/settings/tokens', { name: 'CI', abilities: '*', expiry: 'never' })
const upload = (browser: Browser, sending: SendOptions = {}) =>
  browser.upload('/settings/profile/photo', chosen(png()), {}, sending)
const newPassword = { password: 'another word', password_confirmation: 'another word' }

/** Every change that a user can make to an account, as their browser sends it. */
// oxfmt-ignore
const changes: Partial<Record<RouteName, Ready>> = {
  'password.confirm.store':     form('/confirm-password', { password: ann.password }),
  'verification.send':          async (app, browser) => {
    await browser.post('/settings/profile', { _method: 'PATCH', name: 'Ann', email: 'ann.b@x.test' })
    await app.pass({ minutes: 2 })
    return (sending) => browser.post('/verify-email', plain, sending)
  },
  'profile.update':             form('/settings/profile', { _method: 'PATCH', name: 'Ann', email: 'ann.b@x.test' }),
  'profile.destroy':            form('/settings/profile', { _method: 'DELETE', password: ann.password }),
  'profile.photo.update':       async (_app, browser) => (sending) => upload(browser, sending),
  'profile.photo.destroy':      after((_app, browser) => upload(browser), '/settings/profile/photo', { _method: 'DELETE' }),
  'logins.destroy':             async (app, browser) => {
    const [login] = await allLogins(app.db)
    const url = `/settings/logins/${login?.key.toString('hex')}`
    return (sending) => browser.post(url, { _method: 'DELETE' }, sending)
  },
  'logins.destroy-others':      form('/settings/logins', { _method: 'DELETE' }),
  'user-password.update':       form('/settings/password', { _method: 'PUT', current_password: ann.password, ...newPassword }),
  'user-password.destroy':      after(addPasskey, '/settings/password', { _method: 'DELETE' }),
  'two-factor.enable':          form('/settings/two-factor'),
  'two-factor.confirm':         async (app, browser) => {
    const code = codeAt(await beginTwoFactorSetup(browser), app.now())
    return (sending) => browser.post('/settings/two-factor/confirm', { code }, sending)
  },
  'two-factor.recovery-codes':  after(turnOn, '/settings/two-factor/recovery-codes'),
  'two-factor.recovery-codes.saved': after(turnOn, '/settings/two-factor/recovery-codes/saved'),
  'two-factor.disable':         after(turnOn, '/settings/two-factor', { _method: 'DELETE' }),
  'passkeys.store':             async (_app, browser) => {
    const options = await requestPasskeyOptions<PublicKeyCredentialCreationOptionsJSON>(browser, '/settings/passkeys/options')
    const credential = JSON.stringify(newAuthenticator().create(options))
    return (sending) => browser.post('/settings/passkeys', { name: '', credential }, sending)
  },
  'passkeys.update':            after(addPasskey, '/settings/passkeys/1', { _method: 'PATCH', [renameField(1)]: 'Blue' }),
  'passkeys.destroy':           after(addPasskey, '/settings/passkeys/1', { _method: 'DELETE' }),
  'tokens.store':               form('/settings/tokens', { name: 'CI', abilities: '*', expiry: 'never' }),
  'tokens.destroy':             after(makeToken, '/settings/tokens/1', { _method: 'DELETE' }),
}

/** The other routes: they change only the session, or only ask a browser for a passkey. */
const others: readonly RouteName[] = [
  'logout',
  'password.confirm.passkey.options',
  'passkeys.options',
]

const rows = Object.entries(changes)
// Without starting a set-up, kept in the session only, and ending logins, which `rowsOfAccounts` ignores.
const ofAccounts = rows.filter(([name]) => !/^(two-factor.enable|logins\.)/.test(name))

const nothing = async (): Promise<void> => {}

/** Returns Ann's second browser with a change prepared, at an app that may run `before` before it writes. */
async function ready(prepare: Ready, before = nothing) {
  const app = await testApp({ serverApp: (opened) => beforeNextTransaction(opened, before) })
  await verifiedBrowser(app)
  const browser = app.browser()
  await logIn(browser, ann)
  return { app, browser, send: await prepare(app, browser) }
}

test('every route that changes something for a user is covered by this test', () => {
  const changing = routes
    .filter(({ method, who }) => method !== 'GET' && who.forUsers)
    .map(({ name }) => name)
  expect(
    [...Object.keys(changes), ...others].toSorted(),
    'Give each route of your own a row in `changes` above, or name it in `others` if it changes nothing stored.',
  ).toEqual(changing.toSorted())
})

// The time of confirmation is only in the session.
test.each(ofAccounts.filter(([name]) => name !== 'password.confirm.store'))(
  '%s changes stored data of accounts',
  async (_name, prepare) => {
    const { app, send } = await ready(prepare)
    const before = await rowsOfAccounts(app.db)
    const visit = await send({ stay: true })
    expect([visit.status, visit.location]).toEqual([303, expect.not.stringMatching(/^\/login$/)])
    expect(
      await rowsOfAccounts(app.db),
      'Name the table that it changes in internal/testing/database/rows-of-accounts.ts.',
    ).not.toEqual(before)
  },
)

test.each(rows)(
  '%s changes nothing if the login ended before the form arrived',
  async (_, prepare) => {
    const { app, send } = await ready(prepare)
    let before: unknown
    const visit = await send({
      stay: true,
      beforeBody: async () => {
        await deleteLogins(app.db)
        before = await rowsOfAccounts(app.db)
      },
    })
    expect([visit.status, visit.location]).toEqual([303, '/login'])
    expect(await rowsOfAccounts(app.db)).toEqual(before)
  },
)

test.each(ofAccounts)(
  '%s changes nothing if the login ended before the write',
  async (_, prepare) => {
    let ends = nothing
    const { app, send } = await ready(prepare, () => ends())
    const before = await rowsOfAccounts(app.db)
    ends = () => deleteLogins(app.db)
    const visit = await send({ stay: true })
    expect([visit.status, visit.location]).toEqual([303, '/login'])
    expect(await rowsOfAccounts(app.db)).toEqual(before)
  },
)

test('notifications requested by a login that ends before the write are not marked as read', async () => {
  let ends = nothing
  const { app, browser } = await ready(form('/logout'), () => ends())
  await turnOn(app, browser)
  ends = () => deleteLogins(app.db)
  const visit = await browser.get('/notifications', { stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/login'])
  const read = (await allNotifications(app.db)).filter(({ readAt }) => readAt !== null)
  expect(read).toEqual([])
})

const confirmWithPasskey: Ready = async (_app, browser) => {
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  const credential = JSON.stringify(authenticator.get(await requestConfirmOptions(browser)))
  return (sending) => browser.post('/confirm-password', { credential }, sending)
}

// They change only the session or the throttle.
test.each([
  ['a passkey that confirms', confirmWithPasskey],
  ['a choice of language', form('/language', { _method: 'PUT', language: 'de' })],
])('%s sets no cookie if the login ended before the write', async (_, prepare) => {
  let ends = nothing
  const { app, send } = await ready(prepare, () => ends())
  ends = () => deleteLogins(app.db)
  const visit = await send({ stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/login'])
  expect(visit.headers).not.toHaveProperty('set-cookie')
})

test('a logout whose login is replaced before the write leaves the new login alone', async () => {
  let meanwhile = nothing
  const { app, browser, send } = await ready(form('/logout'), () => meanwhile())
  meanwhile = async () => {
    meanwhile = nothing
    const password = { current_password: ann.password, ...newPassword }
    await browser.post('/settings/password', { _method: 'PUT', ...password })
  }
  const visit = await send({ stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/login'])
  expect((await browser.get('/dashboard')).url).toBe('/dashboard')
  expect(await allLogins(app.db)).toHaveLength(1)
})

/**
 * Returns Ann's browser, and a function that sends a form delayed until she has set another password in
 * another tab.
 */
async function withTwoTabs(config: Partial<Config> = {}) {
  const app = await testApp({ config })
  const browser = await verifiedBrowser(app)
  // From now on every answer renews the session's cookie.
  await app.pass({ seconds: 62 })
  const meanwhile = async () => {
    await app.pass({ seconds: 20 })
    await browser.post('/settings/password', {
      _method: 'PUT',
      current_password: ann.password,
      ...newPassword,
    })
  }
  return { app, browser, meanwhile }
}

const stores = ['cookie', 'database'] as const

test.each(stores)(
  'a photo that arrives after a new password in another tab leaves the browser logged in: %s',
  async (sessionStore) => {
    const { app, browser, meanwhile } = await withTwoTabs({ sessionStore })
    const visit = await upload(browser, { beforeBody: meanwhile })
    const [user] = await allUsers(app.db)
    expect([visit.url, user?.photo]).toEqual(['/dashboard', null])
  },
)

test.each(stores)(
  'a file that is not a photo leaves the browser logged in after a new password in another tab: %s',
  async (sessionStore) => {
    const { browser, meanwhile } = await withTwoTabs({ sessionStore })
    const text = chosen(Buffer.from('no photo'))
    const visit = await browser.upload(
      '/settings/profile/photo',
      text,
      {},
      { beforeBody: meanwhile },
    )
    expect(visit.url).toBe('/dashboard')
  },
)

test.each(stores)(
  'an unreadable upload leaves the browser logged in after a new password in another tab: %s',
  async (sessionStore) => {
    const { browser, meanwhile } = await withTwoTabs({ sessionStore })
    const cut = { type: 'multipart/form-data; boundary=edge', body: '--edge\r\nContent-' }
    const visit = await browser.send('POST', '/settings/profile/photo', {
      ...cut,
      beforeBody: meanwhile,
    })
    expect(visit.status).toBe(400)
    expect((await browser.get('/dashboard')).url).toBe('/dashboard')
  },
)

test.each(stores)(
  'an upload refused for confirmation leaves the browser logged in after a new password: %s',
  async (sessionStore) => {
    const { app, browser, meanwhile } = await withTwoTabs({ sessionStore })
    await browser.post('/logout')
    await browser.post('/login', { ...ann, remember: 'on' })
    await app.pass({ hours: 3 })
    const visit = await upload(browser, {
      stay: true,
      beforeBody: async () => {
        await browser.post('/confirm-password', { password: ann.password })
        await meanwhile()
      },
    })
    expect(visit.location).toBe('/confirm-password')
    expect((await browser.get('/dashboard')).url).toBe('/dashboard')
  },
)

test('a photo of a login that had already ended does not end one made while the photo arrives', async () => {
  const visits = [{}, { sessionStore: 'database' as const }].map(async (config) => {
    const app = await testApp({ config })
    const browser = await verifiedBrowser(app)
    await deleteLogins(app.db)
    const meanwhile = async () => {
      await app.pass({ seconds: 20 })
      await logIn(browser, ann)
    }
    const visit = await upload(browser, { beforeBody: meanwhile, stay: true })
    return [visit.location, (await browser.get('/dashboard')).url]
  })
  const kept = ['/login', '/dashboard']
  expect(await Promise.all(visits)).toEqual([kept, kept])
})

function rename(browser: Browser, meanwhile: () => Promise<void>): Promise<Visit> {
  const fields = { _method: 'PATCH', name: 'Ann B.', email: ann.email }
  return browser.post('/settings/profile', fields, { beforeBody: meanwhile })
}

test('a form that arrives after a new password in another tab leaves the browser logged in', async () => {
  const { browser, meanwhile } = await withTwoTabs()
  const { browser: other, meanwhile: too } = await withTwoTabs({ sessionStore: 'database' })
  const visits = [await rename(browser, meanwhile), await rename(other, too)]
  expect(visits.map(({ url, user }) => [url, user?.name])).toEqual([
    ['/dashboard', 'Ann'],
    ['/dashboard', 'Ann'],
  ])
})

test('a change of the session by another tab while a form arrives is preserved, in either store', async () => {
  const visits = stores.map(async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const browser = await verifiedBrowser(app)
    let secret = ''
    await rename(browser, async () => {
      await app.pass({ seconds: 2 })
      secret = await beginTwoFactorSetup(browser)
    })
    const code = codeAt(secret, app.now())
    const { flash } = await browser.post('/settings/two-factor/confirm', { code })
    return [flash.recoveryCodes?.length, (await browser.get('/settings/profile')).user?.name]
  })
  expect(await Promise.all(visits)).toEqual(stores.map(() => [8, 'Ann B.']))
})

test('a form that arrives late shows its own flash, and does not repeat the flash of another tab', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const { flash } = await rename(browser, async () => {
    await app.pass({ seconds: 2 })
    await browser.post('/settings/tokens', { name: 'CI', abilities: '*', expiry: 'never' })
  })
  expect(flash).toEqual({ success: flashWords.profileSaved })
  expect((await browser.get('/settings/profile')).flash).toEqual({})
})

test.each(stores)(
  'an error caused by one login is not shown to the user who has logged in meanwhile: %s',
  async (sessionStore) => {
    let meanwhile = nothing
    const served = (opened: OpenApp) => afterPasswordCheck(opened, () => meanwhile())
    const app = await testApp({ config: { sessionStore }, serverApp: served })
    await registeredBrowser(app, bob)
    const browser = await verifiedBrowser(app)
    meanwhile = async () => {
      meanwhile = nothing
      await app.pass({ seconds: 2 })
      await browser.post('/logout', {}, { stay: true })
      await logIn(browser, bob)
    }
    await browser.post('/confirm-password', { password: 'wrong horse' }, { stay: true })
    const { user, errors, flash } = await browser.get('/settings/profile')
    expect([user?.name, errors, flash]).toEqual(['Bob', {}, {}])
  },
)

/** Returns Ann's browser, logged out, with the page it wanted in its cookie. */
async function onTheWay() {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await browser.post('/logout')
  await browser.get('/settings/profile')
  return { app, browser }
}

test('a guest’s form that arrives after a login in another tab leaves the browser logged in', async () => {
  const { app, browser } = await onTheWay()
  const meanwhile = async () => {
    await app.pass({ seconds: 2 })
    await logIn(browser, ann)
  }
  await browser.post(
    '/forgot-password',
    { email: ann.email },
    { beforeBody: meanwhile, stay: true },
  )
  expect((await browser.get('/dashboard')).url).toBe('/dashboard')
})

test('a login form that arrives late logs in', async () => {
  const { app, browser } = await onTheWay()
  const meanwhile = async () => {
    await app.pass({ seconds: 2 })
    await browser.get('/settings/security')
    await browser.post('/forgot-password', { email: ann.email })
  }
  await logIn(browser, ann, { beforeBody: meanwhile })
  expect((await browser.get('/dashboard')).url).toBe('/dashboard')
})

/** Returns Ann's verified browser, whose login has ended unnoticed, after `prepare`. */
async function loggedOutUnnoticed(
  sessionStore: Config['sessionStore'],
  prepare: (app: TestApp, browser: Browser) => Promise<unknown> = nothing,
) {
  const app = await testApp({ config: { sessionStore } })
  const browser = await verifiedBrowser(app)
  await prepare(app, browser)
  await deleteLogins(app.db)
  return { browser, late: { beforeBody: () => app.pass({ seconds: 2 }) } }
}

test.each(stores)(
  'a login form that arrives late logs in, though the browser’s last login had ended: %s',
  async (sessionStore) => {
    const { browser, late } = await loggedOutUnnoticed(sessionStore)
    await logIn(browser, ann, late)
    expect((await browser.get('/dashboard')).url).toBe('/dashboard')
  },
)

test.each(stores)(
  'a login form that arrives late asks for the code, though the browser’s last login had ended: %s',
  async (sessionStore) => {
    const { browser, late } = await loggedOutUnnoticed(sessionStore, turnOn)
    const { url } = await logIn(browser, ann, late)
    expect(url).toBe('/two-factor-challenge')
  },
)

test.each(stores)(
  'a register form that arrives late logs in, though the browser’s last login had ended: %s',
  async (sessionStore) => {
    const { browser, late } = await loggedOutUnnoticed(sessionStore)
    await browser.post('/register', registration(bob), late)
    expect((await browser.get('/settings/profile')).user?.name).toBe('Bob')
  },
)

test('a login succeeds after a logout whose response the browser never got', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const had = new Map(browser.cookies)
  await app.pass({ seconds: 2 })
  await browser.post('/logout')
  for (const [name, value] of had) browser.cookies.set(name, value)
  await app.pass({ seconds: 2 })
  await logIn(browser, ann)
  expect((await browser.get('/dashboard')).url).toBe('/dashboard')
})
