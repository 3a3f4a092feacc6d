import { browserFacts } from '../../../testing/browser-facts.ts'
import { brandName } from '../../../../web/brand/brand.ts'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { mostPasskeys } from '../../../../web/contract/limits.ts'
import { renameField } from '../../../../web/contract/rename-field.ts'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { addOptions, addPasskey } from '../../../domain/passkeys/add.ts'
import { addUser, ann as added, logInAs } from '../../../testing/database/user-rows.ts'
import { beforeNextTransaction } from '../../../testing/app-hooks.ts'
import {
  addNewPasskey,
  allPasskeys,
  requestPasskeyOptions,
  newAuthenticator,
  logInPasskey,
  times,
  refusalOf,
  withoutPassword,
} from '../../../testing/passkeys.ts'
import { ann, bob, registeredBrowser } from '../../../testing/people.ts'
import {
  allJobs,
  allNotifications,
  allUsers,
  setPasswordHash,
  deleteLogins,
  refuseNotifications,
  verifyEmails,
} from '../../../testing/database/rows.ts'
import { randomBits } from '../../../testing/formats/random-bits.ts'
import { sessionOf } from '../../../testing/session-of.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import { verifiedBrowser } from '../../../testing/two-factor.ts'
import { coseKey, type Wrong } from '../../../testing/authenticator.ts'
import type { Browser } from '../../../testing/browser.ts'

const { passkeyEarly, passkeyRefused, passkeyOver, passkeyTaken, passkeysFull, lastWayIn } =
  errorWords
const refused = [422, passkeyRefused]
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

async function withAnn(): Promise<{ app: TestApp; browser: Browser }> {
  const app = await testApp()
  return { app, browser: await verifiedBrowser(app) }
}

function creationAsked(browser: Browser): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return requestPasskeyOptions(browser, '/settings/passkeys/options')
}

async function names(app: TestApp): Promise<string[]> {
  return (await allPasskeys(app.db)).map(({ name }) => name)
}

/** Adds as many passkeys as an account may have. */
async function addMost(browser: Browser): Promise<void> {
  for (let i = 0; i < mostPasskeys; i++)
    await addNewPasskey(browser, newAuthenticator(), { name: `Key ${i}` })
}

function remove(browser: Browser, id: number) {
  return browser.postJson(`/settings/passkeys/${id}`, { _method: 'DELETE' })
}

function rename(browser: Browser, id: number | string, name: string) {
  return browser.postJson(`/settings/passkeys/${id}`, {
    _method: 'PATCH',
    [renameField(Number(id))]: name,
  })
}

test('a passkey form without a response gets an error of its own and keeps the typed name', async () => {
  const { app, browser } = await withAnn()
  const { errors, page } = await browser.document('/settings/passkeys', { name: 'Laptop' })
  expect([errors, page.props.old]).toEqual([{ credential: passkeyEarly }, { name: 'Laptop' }])
  expect(await names(app)).toEqual([])
})

test('the creation options require a discoverable passkey and user verification', async () => {
  const { app, browser } = await withAnn()
  const options = await creationAsked(browser)
  const [user] = await allUsers(app.db)
  const id = user?.passkeyHandle?.toString('base64url')
  expect(options).toEqual({
    rp: { id: 'app.test', name: brandName },
    user: { id, name: ann.email, displayName: ann.name },
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  })
})

test('the passkeys of a user share one random handle, and another user has another handle', async () => {
  const { browser, app } = await withAnn()
  const bobs = await registeredBrowser(app, bob)
  const first = await creationAsked(browser)
  await addNewPasskey(browser, newAuthenticator())
  const later = await creationAsked(browser)
  const other = await creationAsked(bobs)
  expect(Buffer.from(first.user.id, 'base64url')).toHaveLength(64)
  expect(later.user.id).toBe(first.user.id)
  expect(other.user.id).not.toBe(first.user.id)
})

test('all 512 bits of a user handle are random', async () => {
  const app = await testApp()
  const handles: Buffer[] = []
  for (let n = 0; n < 100; n++) {
    const email = `${n}@x.test`
    const user = await addUser(app.db, { ...added, email, emailKey: email })
    const authenticator = await addOptions(app, await logInAs(app, user))
    if (authenticator.result === 'options')
      handles.push(Buffer.from(authenticator.options.user.id, 'base64url'))
  }
  expect([handles.length, randomBits(handles)]).toEqual([100, 512])
})

test('twenty simultaneous requests for the first creation options create one handle', async () => {
  const { app, browser } = await withAnn()
  const [user] = await allUsers(app.db)
  const { login } = sessionOf(app, browser)
  if (!login) throw new Error('Ann is not logged in.')
  const asks = await Promise.all(Array.from({ length: 20 }, () => addOptions(app, login)))
  const handles = asks.map((ask) => ask.result === 'options' && ask.options.user.id)
  const [after] = await allUsers(app.db)
  expect(user?.passkeyHandle).toBe(null)
  expect(new Set(handles)).toEqual(new Set([after?.passkeyHandle?.toString('base64url')]))
})

test('the creation options exclude the user’s passkeys, so that none is created twice', async () => {
  const { app, browser } = await withAnn()
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  const options = await creationAsked(browser)
  const [passkey] = await allPasskeys(app.db)
  const id = passkey?.credentialId.toString('base64url')
  expect(options.excludeCredentials).toEqual([
    { type: 'public-key', id, transports: ['internal', 'hybrid'] },
  ])
  expect(() => authenticator.create(options)).toThrow(
    expect.objectContaining({ name: 'InvalidStateError' }),
  )
})

test('a passkey has the name that the user typed, or that of the browser and system', async () => {
  const { app, browser } = await withAnn()
  const visits = [
    await addNewPasskey(browser, newAuthenticator(), { name: '  My phone ' }),
    await addNewPasskey(browser, newAuthenticator(), { userAgent: chrome }),
    await addNewPasskey(browser, newAuthenticator()),
  ]
  expect(visits.map(({ json }) => json)).toEqual(times(3, { redirect: '/settings/security' }))
  expect(await names(app)).toEqual(['My phone', 'Chrome on Windows', 'a browser'])
})

test('a passkey is stored with its credential ID, key, signature count, model, transports and backup state', async () => {
  const { app, browser } = await withAnn()
  const aaguid = Buffer.from('bada5566a7aa401fbd9645619a55120d', 'hex')
  const credentialId = randomBytes(32)
  const publicKey = coseKey(generateKeyPairSync('ed25519').publicKey)
  const authenticator = newAuthenticator({ aaguid, backupEligible: true, counts: false })
  await addNewPasskey(browser, authenticator, { wrong: { credentialId, publicKey } })
  expect(await allPasskeys(app.db)).toMatchObject([
    {
      userId: 1,
      credentialId,
      publicKey,
      signCount: 0,
      aaguid,
      transports: '["internal","hybrid"]',
      backupEligible: true,
      backedUp: false,
      createdAt: app.now(),
      lastUsedAt: null,
    },
  ])
})

test('adding a passkey shows a message, stores a notification and queues a mail', async () => {
  const { app, browser } = await withAnn()
  await verifyEmails(app.db, app.now())
  await addNewPasskey(browser, newAuthenticator(), { name: 'My phone' })
  const page = await browser.get('/settings/security')
  expect(page.flash.success).toBe(flashWords.passkeyAdded)
  expect(await allNotifications(app.db)).toMatchObject([
    { userId: 1, kind: 'passkey-added', data: '{"name":"My phone"}' },
  ])
  expect((await allJobs(app.db)).at(-1)).toMatchObject({ name: 'notification-mail' })
})

test('a passkey is not stored when its notification cannot be stored', async () => {
  const { app, browser } = await withAnn()
  await refuseNotifications(app.db)
  const visit = await addNewPasskey(browser, newAuthenticator())
  expect([visit.status, await allPasskeys(app.db)]).toEqual([500, []])
})

test('a passkey name has at most 200 characters and no control characters', async () => {
  const { app, browser } = await withAnn()
  const long = await addNewPasskey(browser, newAuthenticator(), { name: '𐐨'.repeat(201) })
  const unshown = await addNewPasskey(browser, newAuthenticator(), { name: 'a\u202eb' })
  const right = await addNewPasskey(browser, newAuthenticator(), { name: '𐐨'.repeat(200) })
  const { nameLong, control } = errorWords
  expect([long.json, unshown.json]).toMatchObject([
    { errors: { name: nameLong } },
    { errors: { name: control } },
  ])
  expect([right.status, await names(app)]).toEqual([200, ['𐐨'.repeat(200)]])
})

// oxfmt-ignore
const wrongs: readonly Wrong[] = [
  { type: 'webauthn.get' },
  { challenge: randomBytes(32).toString('base64url') },
  { clientData: 'no JSON' },
  { origin: 'https://app.test' },
  { crossOrigin: true },
  { topOrigin: 'http://evil.test' },
  { rpId: 'evil.test' },
  { present: false },
  { verified: false },
  { backedUp: true },
  { credentialId: Buffer.alloc(0) },
  { credentialId: randomBytes(15) },
  { credentialId: randomBytes(1024) },
  // A point off its curve, the point of zeros, and an RSA key of 512 bits.
  { publicKey: Buffer.from(`a5010203262001215820${'01'.repeat(32)}225820${'02'.repeat(32)}`, 'hex') },
  { publicKey: Buffer.from(`a5010203262001215820${'00'.repeat(32)}225820${'00'.repeat(32)}`, 'hex') },
  { publicKey: Buffer.from(`a4010303390100205840${'c1'.repeat(64)}2143010001`, 'hex') },
  { attested: false },
  { extended: true },
]

test('every invalid passkey response gets the same error and stores nothing', async () => {
  const { app, browser } = await withAnn()
  const answers = []
  for (const wrong of wrongs)
    answers.push(refusalOf(await addNewPasskey(browser, newAuthenticator(), { wrong })))
  expect(answers).toEqual(wrongs.map(() => refused))
  expect([await allPasskeys(app.db), await allNotifications(app.db)]).toEqual([[], []])
})

test('the attestation of a new passkey is not checked', async () => {
  const { browser } = await withAnn()
  const attestation = { fmt: 'packed', attStmt: new Map([['sig', randomBytes(64)]]) }
  const visit = await addNewPasskey(browser, newAuthenticator(), { wrong: { attestation } })
  expect(visit.status).toBe(200)
})

test('a challenge creates one passkey, within five minutes, in the browser it was issued to', async () => {
  const { app, browser } = await withAnn()
  const bobs = await registeredBrowser(app, bob)
  const options = await creationAsked(browser)
  const credential = newAuthenticator().create(options)
  const stolen = await bobs.postJson('/settings/passkeys', { credential })
  const first = await browser.postJson('/settings/passkeys', { credential })
  const second = await browser.postJson('/settings/passkeys', { credential })
  const late = newAuthenticator().create(await creationAsked(browser))
  await app.pass({ minutes: 5 })
  const over = await browser.postJson('/settings/passkeys', { credential: late })
  expect([refusalOf(stolen), first.status]).toEqual([refused, 200])
  expect([refusalOf(second), refusalOf(over)]).toEqual(times(2, [422, passkeyOver]))
  expect(await allPasskeys(app.db)).toHaveLength(1)
})

test('of twenty simultaneous responses to one challenge, one is stored', async () => {
  const { app, browser } = await withAnn()
  const options = await creationAsked(browser)
  const visits = await Promise.all(
    Array.from({ length: 20 }, () =>
      browser.postJson('/settings/passkeys', { credential: newAuthenticator().create(options) }),
    ),
  )
  expect(visits.filter(({ status }) => status === 200)).toHaveLength(1)
  expect([await names(app), await allNotifications(app.db)]).toMatchObject([
    ['a browser'],
    [{ kind: 'passkey-added' }],
  ])
})

test('a credential ID that this or another account has is not stored again', async () => {
  const { app, browser } = await withAnn()
  const bobs = await registeredBrowser(app, bob)
  const wrong = { credentialId: randomBytes(32) }
  await addNewPasskey(browser, newAuthenticator(), { wrong })
  const answers = [
    await addNewPasskey(browser, newAuthenticator(), { wrong }),
    await addNewPasskey(bobs, newAuthenticator(), { wrong }),
  ]
  expect(answers.map(refusalOf)).toEqual(times(2, [422, passkeyTaken]))
  expect(await allPasskeys(app.db)).toMatchObject([{ userId: 1 }])
})

test('an account with the maximum number of passkeys gets no creation options', async () => {
  const { browser } = await withAnn()
  await addMost(browser)
  const visit = await browser.postJson('/settings/passkeys/options', {})
  expect([visit.status, visit.json]).toEqual([422, { message: passkeysFull }])
})

test('passkeys added at the same time do not exceed the maximum of an account', async () => {
  const { app, browser } = await withAnn()
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  const others: { other: Browser; options: PublicKeyCredentialCreationOptionsJSON }[] = []
  for (let i = 0; i < 2 * mostPasskeys; i++) {
    const other = app.browser()
    await logInPasskey(other, authenticator)
    others.push({ other, options: await creationAsked(other) })
  }
  const visits = await Promise.all(
    others.map(({ other, options }) =>
      other.postJson('/settings/passkeys', { credential: newAuthenticator().create(options) }),
    ),
  )
  expect(visits.filter(({ status }) => status === 200)).toHaveLength(mostPasskeys - 1)
  expect(visits.filter(({ status }) => status === 422).map(({ json }) => json)).toEqual(
    times(mostPasskeys + 1, { message: passkeysFull, unknownCredential: expect.anything() }),
  )
  expect(await allPasskeys(app.db)).toHaveLength(mostPasskeys)
})

/** Adds a passkey to Ann's account while `happens` runs between its check and its insert. */
async function addWhile(happens: (app: TestApp) => Promise<void>) {
  const { app, browser } = await withAnn()
  const { challenge, ...options } = await creationAsked(browser)
  const { login } = sessionOf(app, browser)
  if (!login) throw new Error('Ann is not logged in.')
  const credential = newAuthenticator().create({ challenge, ...options })
  const meanwhile = beforeNextTransaction(app, () => happens(app))
  const answer = { credential, challenges: [challenge] }
  const added = await addPasskey(meanwhile, login, answer, { name: '', browser: browserFacts() })
  return [added, await allPasskeys(app.db)]
}

test('a login that ends while its passkey response is checked adds no passkey', async () => {
  const nothing = [{ result: 'ended' }, []]
  expect(await addWhile(({ db }) => setPasswordHash(db, 'another hash'))).toEqual(nothing)
  expect(await addWhile(({ db }) => deleteLogins(db))).toEqual(nothing)
})

test('a challenge issued to one user does not add a passkey to another user', async () => {
  const { app, browser } = await withAnn()
  const { login } = sessionOf(app, await registeredBrowser(app, bob))
  if (!login) throw new Error('Bob is not logged in.')
  const options = await creationAsked(browser)
  const answer = { credential: newAuthenticator().create(options), challenges: [options.challenge] }
  const added = await addPasskey(app, login, answer, { name: '', browser: browserFacts() })
  expect(added).toEqual({ result: 'refused', why: 'challenge' })
})

test('a passkey can be renamed, but not to an empty name', async () => {
  const { app, browser } = await withAnn()
  await addNewPasskey(browser, newAuthenticator())
  const visit = await rename(browser, 1, ' Work laptop ')
  const empty = await rename(browser, 1, ' ')
  expect([visit.status, visit.json]).toEqual([200, { redirect: '/settings/security' }])
  expect(empty.json).toMatchObject({ errors: { [renameField(1)]: errorWords.required } })
  expect(await names(app)).toEqual(['Work laptop'])
})

test('renaming or removing another user’s passkey, or removing an unknown one, gets a 404', async () => {
  const { app, browser } = await withAnn()
  const bobs = await registeredBrowser(app, bob)
  await addNewPasskey(browser, newAuthenticator(), { name: 'of Ann' })
  const visits = [await rename(bobs, 1, 'of Bob'), await remove(bobs, 1), await remove(bobs, 2)]
  expect(visits.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(await names(app)).toEqual(['of Ann'])
})

test('renaming a passkey under an invalid or unknown ID gets a 404', async () => {
  const { browser } = await withAnn()
  const ids = ['0', '01', 'x', '-1', '1.5', '9'.repeat(30), '2']
  const visits = await Promise.all(ids.map((id) => rename(browser, id, 'a name')))
  expect(visits.map(({ status }) => status)).toEqual(ids.map(() => 404))
})

test('a passkey can be removed, and removing it again has the same result', async () => {
  const { app, browser } = await withAnn()
  await verifyEmails(app.db, app.now())
  await addNewPasskey(browser, newAuthenticator())
  const visits = [await remove(browser, 1), await remove(browser, 1)]
  const page = await browser.get('/settings/security')
  expect(visits.map(({ json }) => json)).toEqual(times(2, { redirect: '/settings/security' }))
  expect([page.flash.success, await names(app)]).toEqual([flashWords.passkeyRemoved, []])
})

test('the last passkey of an account without a password cannot be removed', async () => {
  const app = await testApp()
  const { browser } = await withoutPassword(app)
  const only = await remove(browser, 1)
  const form = await browser.post('/settings/passkeys/1', { _method: 'DELETE' })
  await addNewPasskey(browser, newAuthenticator(), { name: 'second' })
  const first = await remove(browser, 1)
  const last = await remove(browser, 2)
  expect([only.status, only.json]).toEqual([422, { message: lastWayIn }])
  expect([form.url, form.flash.error]).toEqual(['/settings/security', lastWayIn])
  expect([first.status, last.status, await names(app)]).toEqual([200, 422, ['second']])
})

test('one passkey remains when all passkeys of an account without a password are removed at once', async () => {
  const app = await testApp()
  const { browser } = await withoutPassword(app)
  for (let i = 0; i < 9; i++) await addNewPasskey(browser, newAuthenticator())
  const ids = (await allPasskeys(app.db)).map(({ id }) => id)
  const visits = await Promise.all([...ids, ...ids].map((id) => remove(browser, id)))
  expect(
    visits.filter(({ json }) => (json as { message?: string }).message === lastWayIn),
  ).not.toEqual([])
  expect(await allPasskeys(app.db)).toHaveLength(1)
})

test('one of the password and the last passkey remains when both are removed at once', async () => {
  const { app, browser } = await withAnn()
  await verifyEmails(app.db, app.now())
  await addNewPasskey(browser, newAuthenticator())
  await Promise.all([
    remove(browser, 1),
    browser.postJson('/settings/password', { _method: 'DELETE' }),
  ])
  const [user] = await allUsers(app.db)
  const waysIn = [user?.passwordHash !== '', (await allPasskeys(app.db)).length === 1]
  expect(waysIn).toContain(true)
})

/** Sends every request there is about passkeys. */
function asks(who: Browser) {
  return Promise.all([
    who.postJson('/settings/passkeys/options', {}),
    who.postJson('/settings/passkeys', {}),
    rename(who, 1, 'a name'),
    remove(who, 1),
  ])
}

test('requests about passkeys get a 401 for a guest and a 423 once the confirmation has lapsed', async () => {
  const { app, browser } = await withAnn()
  const guest = app.browser()
  await app.pass({ hours: 1, minutes: 59 })
  await browser.get('/dashboard')
  await app.pass({ hours: 1, minutes: 2 })
  const [guests, lapsed] = [await asks(guest), await asks(browser)]
  expect(guests.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(lapsed.map(({ status }) => status)).toEqual([423, 423, 423, 423])
})

test('an unverified user goes back to the profile after a change of passkeys, and sees its message there', async () => {
  const browser = await registeredBrowser(await testApp(), ann)
  const added = await addNewPasskey(browser, newAuthenticator())
  const profilePage = await browser.get('/settings/profile')
  const renamed = await rename(browser, 1, 'Mine')
  const form = await browser.post('/settings/passkeys/1', { _method: 'DELETE' }, { stay: true })
  const profile = { redirect: '/settings/profile' }
  expect([added.json, renamed.json, form.location]).toEqual([profile, profile, '/settings/profile'])
  expect([profilePage.component, profilePage.flash]).toEqual([
    'Settings/Profile',
    { success: flashWords.passkeyAdded },
  ])
})

test('creation options are refused on a site at an IP address', async () => {
  const app = await testApp({ config: { origin: 'http://127.0.0.1:3000' } })
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.postJson('/settings/passkeys/options', {})
  const message = errorWords.passkeysAbsent
  expect([visit.status, visit.json]).toEqual([422, { message }])
})

test('the security page shows the provider, the sync state and the last use of each passkey', async () => {
  const { app, browser } = await withAnn()
  await verifyEmails(app.db, app.now())
  const aaguid = Buffer.from('bada5566a7aa401fbd9645619a55120d', 'hex')
  const at = app.now().toISOString()
  const key = newAuthenticator({ aaguid, backedUp: true })
  await addNewPasskey(browser, key)
  await addNewPasskey(browser, newAuthenticator(), { name: 'Key' })
  await app.pass({ minutes: 2 })
  await logInPasskey(app.browser(), key)
  const { props } = (await browser.get('/settings/security')).page
  expect(props['passkeys']).toEqual([
    {
      id: 1,
      name: 'a browser',
      createdAt: at,
      lastUsedAt: app.now().toISOString(),
      provider: '1Password',
      synced: true,
    },
    { id: 2, name: 'Key', createdAt: at, lastUsedAt: null, provider: null, synced: false },
  ])
})

test('the security page signals the accepted passkeys to the browser, and nothing if there never were any', async () => {
  const { app, browser } = await withAnn()
  await verifyEmails(app.db, app.now())
  const signal = async () => (await browser.get('/settings/security')).page.props['signal']
  const never = await signal()
  await addNewPasskey(browser, newAuthenticator())
  const one = await signal()
  const [passkey] = await allPasskeys(app.db)
  const [user] = await allUsers(app.db)
  await remove(browser, 1)
  const userId = user?.passkeyHandle?.toString('base64url')
  const id = passkey?.credentialId.toString('base64url')
  expect([never, one, await signal()]).toEqual([
    null,
    { rpId: 'app.test', userId, allAcceptedCredentialIds: [id] },
    { rpId: 'app.test', userId, allAcceptedCredentialIds: [] },
  ])
})

test('the profile signals the current name and email to the browser of a user with a passkey', async () => {
  const { app, browser } = await withAnn()
  const before = (await browser.get('/settings/profile')).page.props
  await addNewPasskey(browser, newAuthenticator())
  const fields = { _method: 'PATCH', name: 'Anna', email: 'anna@x.test' }
  const { props } = (await browser.post('/settings/profile', fields)).page
  const [user] = await allUsers(app.db)
  const userId = user?.passkeyHandle?.toString('base64url')
  expect([before['passkey'], before['signal']]).toEqual([false, null])
  expect([props['passkey'], props['signal']]).toEqual([
    true,
    { rpId: 'app.test', userId, name: 'anna@x.test', displayName: 'Anna' },
  ])
})
