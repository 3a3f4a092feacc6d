import { browserFacts } from '../../testing/browser-facts.ts'
import { expect, test } from 'vitest'
import { sha256 } from '../../base/crypto/random.ts'
import { logInAs } from '../../testing/database/user-rows.ts'
import { ann } from '../../testing/people.ts'
import { base32Bytes, randomBits } from '../../testing/formats/random-bits.ts'
import { allLogins, allUsers } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { register } from '../accounts/register.ts'
import { makeLogin } from './make-login.ts'

/** Registers Ann, and logs her in again from a browser with this User-Agent. */
async function loggedIn(app: TestApp, userAgent = 'Firefox', remember = false) {
  await register(app, ann, browserFacts({ userAgent: '' }))
  const [user] = await allUsers(app.db)
  if (!user) throw new Error('nobody is registered')
  const browser = browserFacts({ userAgent, address: '192.0.2.2' })
  await app.pass({ minutes: 1 })
  const login = await app.db.transaction((tx) =>
    makeLogin(app, tx, user, { browser, remember, tells: true }),
  )
  return { login, user, row: (await allLogins(app.db))[1] }
}

test('a login is stored under the SHA-256 of its own ID, which is 26 random characters', async () => {
  const app = await testApp()
  const { login, user, row } = await loggedIn(app)
  expect(login.id).toMatch(/^[a-z2-7]{26}$/)
  const more = await Promise.all(Array.from({ length: 99 }, () => logInAs(app, user)))
  expect(randomBits([login, ...more].map(({ id }) => base32Bytes(id)))).toBe(128)
  expect(row?.key).toEqual(sha256(login.id))
  expect(row?.key.equals((await allLogins(app.db))[0]?.key ?? sha256(login.id))).toBe(false)
})

test('a login stores the address, the login time and an end two hours after it was seen', async () => {
  const app = await testApp()
  const { row } = await loggedIn(app)
  const at = app.now()
  const endsAt = new Date(at.getTime() + 2 * 60 * 60_000)
  expect(row).toMatchObject({
    address: '192.0.2.2',
    remember: false,
    loggedInAt: at,
    lastSeenAt: at,
    endsAt,
  })
})

test('a remembered login ends 30 days after it was seen', async () => {
  const app = await testApp()
  const { row } = await loggedIn(app, 'Firefox', true)
  const endsAt = new Date(app.now().getTime() + 30 * 24 * 60 * 60_000)
  expect(row).toMatchObject({ remember: true, endsAt })
})

test('a session records 12 bytes of the SHA-256 of the password hash its login was created with', async () => {
  const app = await testApp()
  const { login, user } = await loggedIn(app)
  const bytes = Buffer.from(login.fingerprint, 'base64url')
  expect(bytes).toEqual(sha256(user.passwordHash).subarray(0, 12))
})

test('a User-Agent of 512 bytes is stored whole', async () => {
  const app = await testApp()
  const { row } = await loggedIn(app, '🦜'.repeat(128))
  expect(row?.userAgent).toBe('🦜'.repeat(128))
})

test('a longer User-Agent is cut to the characters within its first 512 bytes', async () => {
  const app = await testApp()
  const { row } = await loggedIn(app, `abc${'🦜'.repeat(128)}`)
  expect(row?.userAgent).toBe(`abc${'🦜'.repeat(127)}`)
})
