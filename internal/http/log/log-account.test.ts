import { tokenIn } from '../../testing/mails.ts'
import { expect, test } from 'vitest'
import { renameField } from '../../../web/contract/rename-field.ts'
import { flashWords } from '#words/flash'
import {
  addNewPasskey,
  newAuthenticator,
  requestConfirmOptions,
  logInPasskey,
  withoutPassword,
} from '../../testing/passkeys.ts'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../testing/people.ts'
import { chosen, png } from '../../testing/formats/photos.ts'
import { allLogins } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import type { Browser } from '../../testing/browser.ts'

const requestId = expect.stringMatching(/^[a-z2-7]{26}$/)

/** Returns the log lines other than requests, without the address and request ID that each has. */
function events(app: TestApp): unknown[] {
  const logLines = app.logLines.filter(({ message }) => message !== 'request')
  return logLines.map(({ message, facts: { address, request, user, ...facts } }) => {
    expect([address, request]).toEqual(['127.0.0.1', requestId])
    return Object.keys(facts).length === 0 ? [message, user] : [message, user, facts]
  })
}

/** Returns all log lines other than requests, as text. */
function textOf(app: TestApp): string {
  return JSON.stringify(app.logLines.filter(({ message }) => message !== 'request'))
}

/** Sends a form of the settings, with its method in a field. */
function send(browser: Browser, method: string, url: string, fields = {}) {
  return browser.post(url, { _method: method, ...fields })
}

test('each account change is one log line with user ID, address and request ID, and without secrets', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  const link = new URL(/http\S+/.exec((await app.outbox.next()).text)?.[0] ?? '')
  await browser.get(link.pathname)
  await send(browser, 'PATCH', '/settings/profile', { name: 'Ann B.', email: ann.email })
  await browser.upload('/settings/profile/photo', chosen(png()))
  await send(browser, 'DELETE', '/settings/profile/photo')
  await browser.post('/settings/tokens', { name: 'CI', abilities: '*', expiry: 'never' })
  await send(browser, 'DELETE', '/settings/tokens/1')
  await addNewPasskey(browser, newAuthenticator())
  await send(browser, 'PATCH', '/settings/passkeys/1', { [renameField(1)]: 'Blue' })
  await turnOn(app, browser)
  await browser.post('/settings/two-factor/recovery-codes')
  await browser.post('/settings/two-factor/recovery-codes/saved')
  await browser.post('/settings/two-factor/recovery-codes/saved')
  await send(browser, 'DELETE', '/settings/two-factor')
  await send(browser, 'DELETE', '/settings/two-factor')
  const another = { password: 'another word', password_confirmation: 'another word' }
  await send(browser, 'PUT', '/settings/password', { current_password: ann.password, ...another })
  await send(browser, 'DELETE', '/settings/password')
  await send(browser, 'PUT', '/settings/password', another)
  await send(browser, 'DELETE', '/settings/passkeys/1')
  await browser.post('/confirm-password', { password: 'another word' })
  await send(browser, 'PATCH', '/settings/profile', { name: 'Ann B.', email: 'ann.b@x.test' })
  await send(browser, 'DELETE', '/settings/profile', { password: 'another word' })
  expect(events(app)).toEqual([
    ['account made', 1, { how: 'password' }],
    ['email verified', 1],
    ['photo changed', 1],
    ['photo removed', 1],
    ['token made', 1, { token: 1 }],
    ['token revoked', 1, { token: 1 }],
    ['passkey added', 1, { passkey: 1 }],
    ['passkey renamed', 1, { passkey: 1 }],
    ['two-factor turned on', 1],
    ['recovery codes made', 1],
    ['recovery codes saved', 1],
    ['two-factor turned off', 1],
    ['password changed', 1],
    ['password removed', 1],
    ['password set', 1],
    ['passkey removed', 1, { passkey: 1 }],
    ['confirmed', 1, { how: 'password' }],
    ['email changed', 1],
    ['account deleted', 1, { how: 'password' }],
  ])
  expect(textOf(app)).not.toMatch(/@x\.test|another word|app_[a-z2-7]{52}|Ann B/)
})

test('a change that is requested again after it was made is not logged a second time', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  const link = new URL(/http\S+/.exec((await app.outbox.next()).text)?.[0] ?? '')
  await app.pass({ seconds: 1 })
  await logIn(app.browser(), ann)
  const others = await allLogins(app.db)
  await browser.post('/settings/tokens', { name: 'CI', abilities: '*', expiry: 'never' })
  for (let times = 0; times < 2; times++) {
    await browser.get(link.pathname)
    await send(browser, 'DELETE', '/settings/profile/photo')
    await send(browser, 'DELETE', `/settings/logins/${others.at(-1)?.key.toString('hex')}`)
    await send(browser, 'DELETE', '/settings/tokens/1')
    if (times === 0) await addNewPasskey(browser, newAuthenticator())
    await send(browser, 'DELETE', '/settings/passkeys/1')
  }
  expect(events(app)).toEqual([
    ['account made', 1, { how: 'password' }],
    ['logged in', 1, { how: 'password' }],
    ['token made', 1, { token: 1 }],
    ['email verified', 1],
    ['other browser logged out', 1],
    ['token revoked', 1, { token: 1 }],
    ['passkey added', 1, { passkey: 1 }],
    ['passkey removed', 1, { passkey: 1 }],
  ])
})

test('the log line of an account deletion confirmed by a passkey says so', async () => {
  const app = await testApp()
  const { browser, authenticator } = await withoutPassword(app)
  const credential = authenticator.get(await requestConfirmOptions(browser))
  await browser.postJson('/settings/profile', { _method: 'DELETE', credential })
  expect(events(app).at(-1)).toEqual(['account deleted', 1, { how: 'passkey' }])
})

test('each login is one log line that says how, and each logout is one log line', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  await app.pass({ seconds: 1 })
  await logIn(app.browser(), ann)
  const others = await allLogins(app.db)
  await send(browser, 'DELETE', `/settings/logins/${others.at(-1)?.key.toString('hex')}`)
  await send(browser, 'DELETE', '/settings/logins')
  await logInPasskey(app.browser(), authenticator)
  const factor = await turnOn(app, browser)
  const waiting = app.browser()
  await logIn(waiting, ann)
  await waiting.post('/two-factor-challenge', { code: factor.code() })
  await waiting.post('/logout')
  await logIn(waiting, ann)
  await waiting.post('/two-factor-challenge', { recovery_code: factor.codes[0] ?? '' })
  expect(events(app)).toEqual([
    ['account made', 1, { how: 'password' }],
    ['passkey added', 1, { passkey: 1 }],
    ['logged in', 1, { how: 'password' }],
    ['other browser logged out', 1],
    ['other browsers logged out', 1],
    ['logged in', 1, { how: 'passkey' }],
    ['two-factor turned on', 1],
    ['logged in', 1, { how: 'code' }],
    ['logged out', 1],
    ['logged in', 1, { how: 'recovery code' }],
  ])
})

test('reset requests and completed resets are logged, the requests also for an unknown email', async () => {
  const app = await testApp({ workers: true })
  await registeredBrowser(app, ann)
  await app.outbox.next()
  const browser = app.browser()
  await browser.post('/forgot-password', { email: 'nobody@x.test' })
  await app.awaitWrites()
  await browser.post('/forgot-password', { email: ann.email })
  await app.awaitWrites()
  const token = tokenIn(/http\S+reset\S+/.exec((await app.outbox.next()).text)?.[0] ?? '')
  const password = { password: 'another word', password_confirmation: 'another word' }
  const visit = await browser.post('/reset-password', { token, email: ann.email, ...password })
  expect(visit.flash.success).toContain(flashWords.passwordSet)
  expect(events(app)).toEqual([
    ['account made', 1, { how: 'password' }],
    ['reset asked', undefined],
    ['reset asked', 1],
    ['password reset', 1],
    ['logged in', 1, { how: 'link' }],
  ])
  expect(textOf(app)).not.toMatch(/@x\.test|another word/)
})

test('the log line of a login has the client’s address, also behind a proxy', async () => {
  const app = await testApp(behindProxy)
  await registeredBrowser(app, bob)
  await logIn(app.browser(), bob, from('192.0.2.7'))
  expect(app.logLines.filter(({ message }) => message === 'logged in')).toMatchObject([
    { level: 'info', facts: { user: 1, address: '192.0.2.7' } },
  ])
})
