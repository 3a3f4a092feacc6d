import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addresses } from './address.ts'
import { addUser } from '../../testing/database/user-rows.ts'
import { linkIn } from '../../testing/mails.ts'
import { noon } from '../../testing/database/database.ts'
import {
  addNewPasskey,
  allPasskeys,
  newAuthenticator,
  requestConfirmOptions,
} from '../../testing/passkeys.ts'
import { bob, behindProxy, logIn, registeredBrowser } from '../../testing/people.ts'
import { addFailedJob, allUsers } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { turnOn } from '../../testing/two-factor.ts'
import type { Browser } from '../../testing/browser.ts'

const first = { name: 'Annabel First', email: 'annabel@x.test', password: 'correct horse' }
const then = { name: 'Annabel Then', email: 'then@x.test', password: 'battery staple' }
const place = (address: string, userAgent: string) => ({
  headers: { 'X-Forwarded-For': address, 'User-Agent': userAgent },
})
const here = place('198.51.100.77', 'A browser of here')
const there = place('198.51.100.78', 'A browser of there')

/** The texts that are, or were, in every part of Annabel's account. */
const texts = [
  first.name,
  first.email,
  then.name,
  then.email,
  '198.51.100.77',
  '198.51.100.78',
  'A browser of here',
  'A browser of there',
  'A key of hers',
  'A token of hers',
  'has no mailbox of hers',
]

/** Returns how often each text occurs in the database file or its log, for those that do. */
function counts(app: TestApp, sought: readonly string[]): Record<string, number> {
  const files = addresses.filesOf(app.config.database).filter((file) => existsSync(file))
  const bytes = files.map((file) => readFileSync(file, 'latin1')).join('')
  const found = sought.map((text) => [text, bytes.split(text).length - 1] as const)
  return Object.fromEntries(found.filter(([, count]) => count > 0))
}

/** Creates an account that was used in every way, among others, and returns the texts to search for. */
async function used(app: TestApp): Promise<{ browser: Browser; sought: readonly string[] }> {
  for (let n = 0; n < 40; n++) {
    const email = `other${n}@x.test`
    await addUser(app.db, { name: 'Other', email, emailKey: email, passwordHash: 'x', at: noon })
  }
  const browser = await registeredBrowser(app, bob)
  await browser.post('/logout')
  await browser.post('/register', { ...first, password_confirmation: first.password }, here)
  await app.outbox.nextTo(bob.email)
  await browser.get(linkIn(await app.outbox.nextTo(first.email)))
  await app.pass({ minutes: 1 })
  await browser.post('/settings/profile', { _method: 'PATCH', ...then }, here)
  await browser.get(linkIn(await app.outbox.nextTo(then.email)))
  const passwords = { current_password: first.password, password_confirmation: then.password }
  const [before] = (await allUsers(app.db)).slice(-1)
  await browser.post('/settings/password', { _method: 'PUT', ...then, ...passwords }, here)
  await addNewPasskey(browser, newAuthenticator(), { name: 'A key of hers' })
  await browser.post('/settings/tokens', {
    name: 'A token of hers',
    abilities: 'user:read',
    expiry: '30',
  })
  await logIn(app.browser(), then, there)
  const two = await turnOn(app, browser)
  await logIn(app.browser(), then, there)
  await requestConfirmOptions(browser)
  await addFailedJob(app.db, {
    name: 'ResetMail',
    payload: { email: then.email },
    error: '550 then@x.test has no mailbox of hers',
    tries: 10,
    at: app.now(),
  })
  const [user] = (await allUsers(app.db)).slice(-1)
  const [passkey] = await allPasskeys(app.db)
  const bytes = [passkey?.credentialId, passkey?.publicKey, user?.passkeyHandle]
  const hashes = [before?.passwordHash, user?.passwordHash, user?.twoFactorSecret]
  expect([two.codes.length, new Set(hashes).size]).toEqual([8, 3])
  const kept = [...hashes, ...bytes.map((one) => one?.toString('latin1'))]
  return { browser, sought: [...texts, ...kept.map((one) => one ?? 'nothing')] }
}

const config = { ...behindProxy.config, sessionStore: 'database' as const }
test('nothing of a deleted account remains in the database file or its write-ahead log', async () => {
  const app = await testApp({ workers: true, config })
  const { browser, sought } = await used(app)
  const before = counts(app, sought)
  const deletion = { _method: 'DELETE', password: then.password }
  const visit = await browser.post('/settings/profile', deletion, here)
  expect([visit.url, sought.length, Object.keys(before).length]).toEqual(['/', 17, 17])
  await expect.poll(() => counts(app, sought)).toEqual({})
})
