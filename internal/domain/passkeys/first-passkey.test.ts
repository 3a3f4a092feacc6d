import { browserFacts } from '../../testing/browser-facts.ts'
import { brandName } from '../../../web/brand/brand.ts'
import { expect, test } from 'vitest'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { allPasskeys, newAuthenticator, times } from '../../testing/passkeys.ts'
import { randomBits } from '../../testing/formats/random-bits.ts'
import { allNotifications, allUsers } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import {
  type FirstPasskey,
  keepFirstPasskey,
  newRegistration,
  takeRegistration,
} from './first-passkey.ts'
import type { Wrong } from '../../testing/authenticator.ts'

const person = { name: 'Ann', email: 'ann@x.test' }

async function optionsOf(app: TestApp): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const options = await newRegistration(app, person)
  if (!options) throw new Error('There are no passkeys here.')
  return options
}

/** Makes a passkey for an account that does not exist yet, and returns the outcome. */
async function make(app: TestApp, wrong: Wrong = {}) {
  const options = await optionsOf(app)
  const credential = newAuthenticator().create(options, wrong)
  return takeRegistration(app, { credential, challenges: [options.challenge] })
}

async function makeFirstPasskey(app: TestApp, wrong: Wrong = {}): Promise<FirstPasskey> {
  const taken = await make(app, wrong)
  if (taken.result === 'refused') throw new Error(taken.why)
  return taken.passkey
}

function keep(app: TestApp, id: number, passkey: FirstPasskey): Promise<boolean> {
  return app.db.transaction((tx) =>
    keepFirstPasskey(app, tx, { id }, { passkey, browser: browserFacts({ userAgent: 'curl/8' }) }),
  )
}

test('each passkey registration has a handle and a challenge of its own', async () => {
  const app = await testApp()
  const [first, second] = [await optionsOf(app), await optionsOf(app)]
  expect(first).toMatchObject({
    rp: { id: 'app.test', name: brandName },
    user: { name: person.email, displayName: person.name },
    excludeCredentials: [],
  })
  const more = await Promise.all(Array.from({ length: 98 }, () => optionsOf(app)))
  const handles = [first, second, ...more].map(({ user }) => Buffer.from(user.id, 'base64url'))
  expect(randomBits(handles)).toBe(512)
  expect([first.user.id, first.challenge]).not.toEqual([second.user.id, second.challenge])
})

test('a first passkey is stored for the newly created account, with the handle it was created for', async () => {
  const app = await testApp()
  const passkey = await makeFirstPasskey(app)
  const { id } = await addUser(app.db)
  const isKept = await keep(app, id, passkey)
  const [user] = await allUsers(app.db)
  expect([isKept, user?.passkeyHandle]).toEqual([true, passkey.handle])
  expect(await allPasskeys(app.db)).toMatchObject([{ userId: id, name: 'a browser', signCount: 1 }])
  expect(await allNotifications(app.db)).toEqual([])
})

test('a credential that another account has is not stored', async () => {
  const app = await testApp()
  const credentialId = Buffer.alloc(32, 7)
  const first = await addUser(app.db)
  const second = await addUser(app.db, {
    ...ann,
    email: 'bob@example.com',
    emailKey: 'bob@example.com',
  })
  const passkeys = [
    await makeFirstPasskey(app, { credentialId }),
    await makeFirstPasskey(app, { credentialId }),
  ] as const
  expect(await keep(app, first.id, passkeys[0])).toBe(true)
  expect(await keep(app, second.id, passkeys[1])).toBe(false)
})

test('a challenge is accepted once, within five minutes, and only from the session it was issued to', async () => {
  const app = await testApp()
  const [options, late] = [await optionsOf(app), await optionsOf(app)]
  const credential = newAuthenticator().create(options)
  const challenges = [options.challenge, late.challenge]
  const other = await takeRegistration(app, { credential, challenges: [late.challenge] })
  const first = await takeRegistration(app, { credential, challenges })
  const second = await takeRegistration(app, { credential, challenges })
  await app.pass({ minutes: 5 })
  const over = await takeRegistration(app, {
    credential: newAuthenticator().create(late),
    challenges,
  })
  expect(other).toEqual({ result: 'refused', why: 'challenge' })
  expect(first.result).toBe('created')
  expect([second, over]).toEqual(times(2, { result: 'refused', why: 'over' }))
})

test('a first passkey for another ceremony, origin or domain, or without user presence or verification, is refused', async () => {
  const app = await testApp()
  const wrongs: Wrong[] = [
    { type: 'webauthn.get' },
    { origin: 'https://evil.test' },
    { rpId: 'evil.test' },
    { present: false },
    { verified: false },
  ]
  const made = await Promise.all(wrongs.map((wrong) => make(app, wrong)))
  const whys = ['ceremony', 'origin', 'domain', 'presence', 'verification']
  expect(made).toEqual(whys.map((why) => ({ result: 'refused', why })))
})

test('no passkey can be registered at a bare IP address', async () => {
  const app = await testApp({ config: { origin: 'http://127.0.0.1:3000' } })
  expect(await newRegistration(app, person)).toBe(undefined)
  expect(await takeRegistration(app, { credential: {}, challenges: [] })).toEqual({
    result: 'refused',
    why: 'absent',
  })
})
