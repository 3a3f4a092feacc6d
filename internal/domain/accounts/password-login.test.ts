import { browserFacts } from '../../testing/browser-facts.ts'
import { expect, test } from 'vitest'
import { afterPasswordCheck, afterPasswordHash } from '../../testing/app-hooks.ts'
import { ann, registeredBrowser } from '../../testing/people.ts'
import {
  allLogins,
  allUsers,
  deleteUsers,
  setPasswordHash,
  dropLogins,
} from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { logInWithPassword } from './password-login.ts'

const browser = browserFacts()

/** Hashes of `password`, made with less memory than ours. */
const older = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
const newer = '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc'

const asAnn = { ...ann, remember: false }

test('a password that is changed during its check logs nobody in', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const changing = afterPasswordCheck(app, () => setPasswordHash(app.db, newer))
  const tried = await logInWithPassword(changing, asAnn, browser)
  expect(tried).toEqual({ result: 'wrong' })
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('a password that is removed during its check logs nobody in', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const removing = afterPasswordCheck(app, () => setPasswordHash(app.db, ''))
  const tried = await logInWithPassword(removing, asAnn, browser)
  expect(tried).toEqual({ result: 'wrong' })
})

test('an account that is deleted during the check of its password logs nobody in', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const deleting = afterPasswordCheck(app, () => deleteUsers(app.db))
  const tried = await logInWithPassword(deleting, asAnn, browser)
  expect(tried).toEqual({ result: 'wrong' })
  expect(await allLogins(app.db)).toEqual([])
})

test('a password set while the old one was rehashed is preserved, with its logins', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await setPasswordHash(app.db, older)
  const other = await app.passwords.hashPassword('another password', browser.address)
  const changing = afterPasswordHash(app, () => setPasswordHash(app.db, other))
  const tried = await logInWithPassword(changing, { ...asAnn, password: 'password' }, browser)
  const [user] = await allUsers(app.db)
  expect([tried, user?.passwordHash]).toEqual([{ result: 'wrong' }, other])
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('a new hash of an old password is stored only together with its login', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await setPasswordHash(app.db, older)
  await dropLogins(app.db)
  const login = logInWithPassword(app, { ...asAnn, password: 'password' }, browser)
  await expect(login).rejects.toThrow('logins')
  expect((await allUsers(app.db))[0]?.passwordHash).toBe(older)
})

test('a right password returns a login with ID, user, fingerprint and remember', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const tried = await logInWithPassword(app, { ...asAnn, remember: true }, browser)
  const login = {
    id: expect.stringMatching(/^[a-z2-7]{26}$/),
    userId: 1,
    fingerprint: expect.stringMatching(/^[\w-]{16}$/),
    remember: true,
  }
  expect(tried).toEqual({ result: 'right', entered: { login } })
})

test('two simultaneous logins with a hash of older settings both succeed', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await setPasswordHash(app.db, older)
  const credentials = { ...asAnn, password: 'password' }
  const tries = await Promise.all([
    logInWithPassword(app, credentials, browser),
    logInWithPassword(app, credentials, browser),
  ])
  expect(tries.map(({ result }) => result)).toEqual(['right', 'right'])
})

test('a right login succeeds without a rehash when too many hashes are queued', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await setPasswordHash(app.db, older)
  const full = afterPasswordCheck(app, async () => {
    // Two hashes of this address run and four wait: a fifth is refused.
    const crowd = Array.from({ length: 6 }, () => app.passwords.hashPassword('x', browser.address))
    void Promise.all(crowd)
  })
  const tried = await logInWithPassword(full, { ...asAnn, password: 'password' }, browser)
  const [user] = await allUsers(app.db)
  expect([tried.result, user?.passwordHash]).toEqual(['right', older])
})
