import { errorWords, tryAgainIn } from '#words/errors'
import { appName } from '../../../../web/contract/name.ts'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { abilities as allAbilities } from '../../../../web/contract/abilities.ts'
import { makeToken } from '../../../domain/tokens/make-token.ts'
import { linkIn } from '../../../testing/mails.ts'
import { beforeNextTransaction } from '../../../testing/app-hooks.ts'
import { ann, bob, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  allJobs,
  allNotifications,
  allUsers,
  setPasswordHash,
  deleteLogins,
  refuseNotifications,
} from '../../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import { hideTokens, showTokens } from '../../../testing/database/hidden-tables.ts'
import { addTokens, allTokens } from '../../../testing/database/token-rows.ts'
import { callApi } from '../../../testing/tokens.ts'
import { sessionOf } from '../../../testing/session-of.ts'
import { verifiedBrowser } from '../../../testing/two-factor.ts'
import type { ApiToken } from '../../../../web/contract/pages.ts'
import type { Browser, Visit } from '../../../testing/browser.ts'

const address = '/settings/tokens'
const stay = { stay: true }
const destroy = { _method: 'DELETE' }
const ci = { name: 'CI', abilities: 'user:read', expiry: '30' }
async function opened(): Promise<{ app: TestApp; browser: Browser }> {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.get(address)
  return { app, browser }
}

function listedTokens({ page }: Visit): ApiToken[] {
  return page.props['tokens'] as ApiToken[]
}

/** Makes a token, and returns it. */
async function made(browser: Browser, fields: object = {}): Promise<string> {
  const visit = await browser.post(address, { ...ci, ...fields })
  if (visit.flash.token === undefined) throw new Error(`No token was made: ${visit.body}`)
  return visit.flash.token
}

/** Returns the status of an API call with the token. */
async function called(app: TestApp, token: string): Promise<number> {
  return (await callApi(app, `Bearer ${token}`)).status
}

function names(visit: Visit): string[] {
  return listedTokens(visit).map(({ name }) => name)
}

test('a new token is still shown after its page could not be loaded for a failure', async () => {
  const { app, browser } = await opened()
  await browser.post(address, ci, stay)
  await hideTokens(app.db)
  const failed = await browser.get(address)
  await showTokens(app.db)
  const visit = await browser.get(address)
  expect([failed.status, failed.flash]).toEqual([500, {}])
  expect([visit.flash.success, visit.flash.token]).toEqual([
    flashWords.tokenMade,
    expect.stringMatching(/^\w{20,}$/),
  ])
})

test('a new token has the chosen name, abilities and expiry, and is shown once', async () => {
  const { app, browser } = await opened()
  const visit = await browser.post(address, { ...ci, abilities: ['user:read', '*'] })
  const again = await browser.get(address)
  const { token = '', tokenId } = visit.flash
  expect(token).toMatch(new RegExp(`^${appName}_[a-z2-7]{52}$`))
  expect(visit.flash).toEqual({ success: flashWords.tokenMade, token, tokenId })
  expect([visit.url, visit.component]).toEqual([address, 'Settings/Tokens'])
  expect(listedTokens(visit)).toEqual([
    {
      id: tokenId,
      name: 'CI',
      abilities: ['user:read', '*'],
      expiresAt: '2026-02-04T10:00:00.000Z',
      lastUsedAt: null,
      createdAt: app.now().toISOString(),
    },
  ])
  expect(again.flash).toEqual({})
  expect(again.body).not.toContain(token)
})

test('the token page lists when each token was last used', async () => {
  const { app, browser } = await opened()
  const used = await made(browser)
  await made(browser, { name: 'Not used' })
  await app.pass({ minutes: 2 })
  await called(app, used)
  await app.awaitWrites()
  const uses = listedTokens(await browser.get(address)).map(({ name, lastUsedAt }) => [
    name,
    lastUsedAt,
  ])
  expect(Object.fromEntries(uses)).toEqual({ CI: app.now().toISOString(), 'Not used': null })
})

test('only the SHA-256 of a token is stored, and the token is not logged', async () => {
  const { app, browser } = await opened()
  const token = await made(browser)
  const rows = await allTokens(app.db)
  const kept = [rows, await allNotifications(app.db), await allJobs(app.db), app.logLines]
  expect(rows.map(({ hash }) => hash)).toEqual([createHash('sha256').update(token).digest()])
  expect(JSON.stringify(kept)).not.toContain(token.slice(4))
})

test('a token expires after exactly 30 or 365 days, or never', async () => {
  const { app, browser } = await opened()
  await made(browser)
  await made(browser, { expiry: '365' })
  await made(browser, { expiry: 'never' })
  const days = (await allTokens(app.db)).map(
    ({ expiresAt }) => expiresAt && (expiresAt.getTime() - app.now().getTime()) / 86_400_000,
  )
  expect(days).toEqual([30, 365, null])
})

test('the token page lists the tokens, newest first, all abilities and the URL to try a token at', async () => {
  const { browser } = await opened()
  await made(browser)
  await made(browser, { name: 'Laptop', abilities: '*' })
  const visit = await browser.get(address)
  expect(names(visit)).toEqual(['Laptop', 'CI'])
  expect(visit.page.props).toMatchObject({
    abilities: allAbilities,
    tryAt: 'http://app.test/api/user',
  })
})

test('an expired token is listed as expired and can be revoked', async () => {
  const { app, browser } = await opened()
  await made(browser)
  await made(browser, { name: 'Laptop', expiry: 'never' })
  await app.pass({ days: 30 })
  await logIn(browser, ann)
  const visit = await browser.get(address)
  const [, { id } = { id: 0 }] = listedTokens(visit)
  expect([names(visit), visit.page.props['expired']]).toEqual([['Laptop', 'CI'], [id]])
  expect(names(await browser.post(`${address}/${id}`, destroy))).toEqual(['Laptop'])
})

test('a new token is notified and mailed, and the mail links to the tokens', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  await browser.get(linkIn(await app.outbox.next()))
  await made(browser, { name: 'My CI' })
  const mail = await app.outbox.next()
  const { page } = await browser.get('/notifications')
  expect(mail).toMatchObject({
    to: [{ address: ann.email }],
    subject: 'An API token was made for your account',
  })
  expect(mail.text).toContain('Token: My CI\n')
  expect(linkIn(mail)).toBe('/settings/tokens#tokens')
  expect(page.props).toMatchObject({
    notifications: { data: [{ kind: 'token-created', text: expect.stringMatching(/: My CI$/) }] },
  })
})

test('the mail to an unverified email links to the tokens and leaves out the name of the token', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await made(browser, { name: 'My CI' })
  const mail = await app.outbox.next()
  expect(mail.text).not.toContain('My CI')
  expect(linkIn(mail)).toBe('/settings/tokens#tokens')
})

test('a token is not stored when its notification cannot be stored', async () => {
  const { app, browser } = await opened()
  await refuseNotifications(app.db)
  expect((await browser.post(address, ci)).status).toBe(500)
  expect(await allTokens(app.db)).toEqual([])
})

test('an invalid name, ability or expiry shows an error at its field, and no token is created', async () => {
  const { app, browser } = await opened()
  const empty = await browser.post(address)
  const wrong = await browser.post(address, {
    name: 'a'.repeat(201),
    abilities: ['user:read', 'user:write'],
    expiry: '31',
  })
  const control = await browser.post(address, { ...ci, name: 'a\u202eb', expiry: 'toString' })
  expect([empty.url, empty.errors]).toEqual([
    address,
    {
      name: errorWords.required,
      abilities: errorWords.abilityMissing,
      expiry: errorWords.expiryUnknown,
    },
  ])
  expect(wrong.errors).toEqual({
    name: errorWords.nameLong,
    abilities: errorWords.abilityUnknown,
    expiry: errorWords.expiryUnknown,
  })
  expect(control.errors).toEqual({ name: errorWords.control, expiry: errorWords.expiryUnknown })
  expect(await allTokens(app.db)).toEqual([])
})

test('a validation-only request validates the named fields and creates no token', async () => {
  const { app, browser } = await opened()
  const validate = (only: string[]) => browser.validate(address, { name: 'CI' }, only)
  expect((await validate(['name'])).status).toBe(204)
  expect((await validate(['abilities'])).json).toEqual({
    errors: { abilities: errorWords.abilityMissing },
  })
  expect(await allTokens(app.db)).toEqual([])
})

test('without JavaScript a failed form comes back with the values that were entered', async () => {
  const { browser } = await opened()
  const filled = { name: '', abilities: ['user:read', '*'], expiry: 'never' }
  const { body } = await browser.document(address, filled)
  const none = await browser.document(address, { name: 'Typed "x"', expiry: '365' })
  expect(ticked(body)).toEqual(['user:read', '*', 'never'])
  expect(ticked(none.body)).toEqual(['365'])
  expect(none.body).toContain('value="Typed &quot;x&quot;"')
  expect(ticked((await browser.document(address)).body)).toEqual(['30'])
})

test('without JavaScript a token can be created, shown and revoked', async () => {
  const { browser } = await opened()
  const visit = await browser.document(address, { ...ci, name: '<b>' })
  const { token = '', tokenId } = visit.flash
  const shownIn = visit.body.replace(/<script type="application\/json".*?<\/script>/s, '')
  expect(shownIn.split(token).length - 1).toBe(1)
  // Some frontends escape the `>` too.
  expect(shownIn).toMatch(/&lt;b(>|&gt;)/)
  expect(shownIn).toContain(`action="${address}/${tokenId}"`)
  const gone = await browser.document(`${address}/${tokenId}`, destroy)
  expect([gone.flash.success, names(gone)]).toEqual([flashWords.tokenRevoked, []])
})

test('abilities may be a JSON array, and each ability is stored once', async () => {
  const { app, browser } = await opened()
  const sent = [['*', 'user:read', '*'], '*', [' user:read ']]
  for (const abilities of sent) await browser.postJson(address, { ...ci, abilities, expiry: 30 })
  const kept = (await allTokens(app.db)).map(({ abilities }) => JSON.parse(abilities))
  expect(kept).toEqual([['user:read', '*'], ['*'], ['user:read']])
})

test('missing, unknown or malformed abilities get a 422 and create no token', async () => {
  const { app, browser } = await opened()
  const sent = [[], '', null, [null], ['user:read', 1], [['user:read']], { '0': '*' }, true]
  const outcomes: unknown[] = []
  for (const abilities of sent) {
    const { status, json } = await browser.postJson(address, { ...ci, abilities })
    outcomes.push([status, (json as { errors: unknown }).errors])
  }
  const { abilityMissing, abilityUnknown } = errorWords
  const faults = [...Array(4).fill(abilityMissing), ...Array(4).fill(abilityUnknown)]
  expect(outcomes).toEqual(faults.map((abilities) => [422, { abilities }]))
  expect(await allTokens(app.db)).toEqual([])
})

test('a JSON client that creates a token is sent to the page that shows it', async () => {
  const { browser } = await opened()
  const answer = await browser.postJson(address, { ...ci, abilities: ['user:read'] })
  const visit = await browser.get(address)
  expect([answer.status, answer.json]).toEqual([200, { redirect: address }])
  expect(visit.flash.token).toMatch(new RegExp(`^${appName}_`))
})

test('a token can be revoked, and revoking it again has the same result', async () => {
  const { app, browser } = await opened()
  await made(browser)
  const [{ id } = { id: 0 }] = listedTokens(await browser.get(address))
  const visit = await browser.post(`${address}/${id}`, destroy)
  const again = await browser.post(`${address}/${id}`, destroy)
  const json = await browser.postJson(`${address}/${id}`, destroy)
  expect([visit.url, visit.flash, listedTokens(visit)]).toEqual([
    address,
    { success: flashWords.tokenRevoked },
    [],
  ])
  expect([again.status, again.flash]).toEqual([200, { success: flashWords.tokenRevoked }])
  expect([json.status, json.json]).toEqual([200, { redirect: address }])
  expect(await allTokens(app.db)).toEqual([])
})

test('a token can call the API until it is revoked or expires', async () => {
  const { app, browser } = await opened()
  const token = await made(browser, { expiry: 'never' })
  const month = await made(browser)
  const [{ id } = { id: 0 }] = await allTokens(app.db)
  const statuses = [await called(app, token), await called(app, month)]
  await browser.post(`${address}/${id}`, destroy)
  statuses.push(await called(app, token), await called(app, month))
  await app.pass({ days: 30 })
  statuses.push(await called(app, month))
  expect(statuses).toEqual([200, 200, 401, 200, 401])
})

test('revoking another user’s token or an unknown one gets a 404', async () => {
  const { app, browser } = await opened()
  await made(browser)
  const [row] = await allTokens(app.db)
  const bobs = await registeredBrowser(app, bob)
  const ids = [row?.id, 99, 0, -1, '01', '1e3', '%00', 'x', '9'.repeat(30)]
  const statuses: number[] = []
  for (const id of ids) statuses.push((await bobs.post(`${address}/${id}`, destroy)).status)
  const json = await bobs.postJson(`${address}/${row?.id}`, destroy)
  expect(statuses).toEqual(ids.map(() => 404))
  expect(json.status).toBe(404)
  expect(listedTokens(await bobs.get(address))).toEqual([])
  expect(await allTokens(app.db)).toHaveLength(1)
})

test('the token page and its forms are for users who confirmed within three hours', async () => {
  const { app, browser } = await opened()
  await made(browser)
  const forms = async (person: Browser) => [
    (await person.get(address, stay)).location,
    (await person.post(address, ci, stay)).location,
    (await person.post(`${address}/1`, destroy, stay)).location,
    (await person.postJson(address, ci)).status,
  ]
  expect(await forms(app.browser())).toEqual(['/login', '/login', '/login', 401])
  await app.pass({ hours: 1 })
  await browser.get('/notifications')
  await app.pass({ hours: 1 })
  await browser.get('/notifications')
  await app.pass({ hours: 1 })
  const confirm = '/confirm-password'
  expect(await forms(browser)).toEqual([confirm, confirm, confirm, 423])
  expect(await allTokens(app.db)).toHaveLength(1)
  await browser.get(address)
  const back = await browser.post(confirm, { password: ann.password })
  expect(back.component).toBe('Settings/Tokens')
})

test('a password change leaves the tokens unchanged', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await made(browser)
  const before = await allTokens(app.db)
  const fields = { password: 'staple battery', password_confirmation: 'staple battery' }
  const put = { _method: 'PUT', current_password: ann.password, ...fields }
  const visit = await browser.post('/settings/password', put)
  expect(visit.flash.success).toBe(flashWords.passwordChanged)
  expect(names(await browser.get(address))).toEqual(['CI'])
  expect(await allTokens(app.db)).toEqual(before)
})

test('deleting the account deletes its tokens and no other account’s', async () => {
  const { app, browser } = await opened()
  await made(browser)
  const bobs = await registeredBrowser(app, bob)
  await made(bobs, { name: 'Bob’s' })
  await browser.post('/settings/profile', { ...destroy, password: ann.password })
  expect((await allTokens(app.db)).map(({ name }) => name)).toEqual(['Bob’s'])
  expect(listedTokens(await (await registeredBrowser(app, ann)).get(address))).toEqual([])
})

test.each([
  ['its browser was logged out', (app: TestApp) => deleteLogins(app.db)],
  ['the password was changed', (app: TestApp) => setPasswordHash(app.db, 'another')],
])('no token is created when the login ends meanwhile: %s', async (_, happens) => {
  const { app, browser } = await opened()
  const { login } = sessionOf(app, browser)
  if (!login) throw new Error('Ann is not logged in.')
  const meanwhile = beforeNextTransaction(app, () => happens(app))
  const form = { name: 'CI', abilities: ['*'], expiry: '30' } as const
  expect(await makeToken(meanwhile, login, form)).toEqual({ result: 'ended' })
  expect(await allTokens(app.db)).toEqual([])
})

test('a user may create thirty tokens a minute, and the next one gets an error with the wait', async () => {
  const { app, browser } = await opened()
  const tries = await Promise.all(Array.from({ length: 31 }, () => browser.postJson(address, ci)))
  const late = tries.find(({ status }) => status === 422)
  expect(late?.headers['retry-after']).toBe('60')
  expect(late?.json).toMatchObject({ errors: { name: tryAgainIn(60) } })
  expect(await allTokens(app.db)).toHaveLength(30)
  await app.pass({ minutes: 1 })
  expect((await browser.postJson(address, ci)).status).toBe(200)
})

test('an account has at most 500 tokens, even when several are created at once', async () => {
  const { app, browser } = await opened()
  const [user] = await allUsers(app.db)
  await addTokens(app.db, { userId: user?.id ?? 0, count: 499, at: app.now() })
  const visits = await Promise.all(Array.from({ length: 5 }, () => browser.postJson(address, ci)))
  const refused = visits.filter(({ status }) => status === 422)
  const errors = refused.map(({ json }) => (json as { errors: unknown }).errors)
  expect(errors).toEqual(Array.from({ length: 4 }, () => ({ name: errorWords.tokensFull })))
  expect(await allTokens(app.db)).toHaveLength(500)
})

test('the security page shows the number of tokens and links to them', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await made(browser)
  const { page, body } = await browser.document('/settings/security')
  expect(page.props['apiTokens']).toBe(1)
  expect(body).toMatch(/You have one API token\..*href="\/settings\/tokens"/)
})

/** Returns the checked boxes of a document. */
function ticked(html: string): string[] {
  const boxes = [...html.matchAll(/<input type="(?:checkbox|radio)"[^>]*>/g)].map(String)
  return boxes
    .filter((box) => box.includes(' checked'))
    .map((box) => /value="([^"]*)"/.exec(box)?.[1] ?? '')
}
