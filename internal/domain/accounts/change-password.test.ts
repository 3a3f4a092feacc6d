import { browserFacts } from '../../testing/browser-facts.ts'
import { expect, test } from 'vitest'
import { afterPasswordHash } from '../../testing/app-hooks.ts'
import { ann } from '../../testing/people.ts'
import {
  addPasskeysAndTokens,
  allLogins,
  allNotifications,
  allUsers,
  setPasswordHash,
  deleteLogins,
  deleteUsers,
} from '../../testing/database/rows.ts'
import { appWithAnn } from '../../testing/app-with-ann.ts'
import { type Asking, changePassword, removePassword } from './change-password.ts'
import type { TestApp } from '../../testing/test-app.ts'

const browser = browserFacts()
const passwords = { current: ann.password, password: 'another word' }

/** Makes an app with Ann's account, and returns her browser and login. */
async function withAsking(): Promise<{ app: TestApp; asking: Asking }> {
  const { app, login } = await appWithAnn()
  return { app, asking: { browser, login } }
}

/** Does the same, and removes her password. */
async function withoutPassword(): Promise<{ app: TestApp; asking: Asking }> {
  const { app, asking } = await withAsking()
  await addPasskeysAndTokens(app.db, app.now())
  const removed = await removePassword(app, asking)
  if (removed.result !== 'removed') throw new Error('The password was not removed.')
  return { app, asking: { ...asking, login: removed.login } }
}

test('a password changed elsewhere while the new one was hashed stays, with its logins', async () => {
  const { app, asking } = await withAsking()
  const changing = afterPasswordHash(app, () => setPasswordHash(app.db, 'another hash'))
  const tried = await changePassword(changing, passwords, asking)
  const [now] = await allUsers(app.db)
  expect([tried, now?.passwordHash]).toEqual([{ result: 'ended' }, 'another hash'])
  expect([await allLogins(app.db), await allNotifications(app.db)]).toMatchObject([
    [{ userId: 1 }],
    [],
  ])
})

test('an account deleted while its new password was hashed stays deleted', async () => {
  const { app, asking } = await withAsking()
  const deleting = afterPasswordHash(app, () => deleteUsers(app.db))
  const tried = await changePassword(deleting, passwords, asking)
  expect([tried, await allUsers(app.db)]).toEqual([{ result: 'ended' }, []])
})

test('only one of two first passwords at once is set', async () => {
  const { app, asking } = await withoutPassword()
  const tries = await Promise.all([
    changePassword(app, passwords, asking),
    changePassword(app, { ...passwords, password: 'a third word' }, asking),
  ])
  const kinds = (await allNotifications(app.db)).map(({ kind }) => kind)
  expect(tries.map(({ result }) => result).toSorted()).toEqual(['ended', 'set'])
  expect(kinds).toEqual(['password-removed', 'password-set'])
})

test('a browser that is logged out while its first password is hashed sets no password', async () => {
  const { app, asking } = await withoutPassword()
  const hashing = afterPasswordHash(app, () => deleteLogins(app.db))
  const tried = await changePassword(hashing, passwords, asking)
  const [now] = await allUsers(app.db)
  expect([tried, now?.passwordHash]).toEqual([{ result: 'ended' }, ''])
})

test('a password that has changed since the login is not removed', async () => {
  const { app, asking } = await withAsking()
  await addPasskeysAndTokens(app.db, app.now())
  await setPasswordHash(app.db, 'another hash')
  const tried = await removePassword(app, asking)
  const [now] = await allUsers(app.db)
  expect([tried, now?.passwordHash]).toEqual([{ result: 'ended' }, 'another hash'])
})

test('removing the password of a changed or deleted account reports an ended login, not a missing passkey', async () => {
  const { app, asking } = await withAsking()
  await setPasswordHash(app.db, 'another hash')
  const changed = await removePassword(app, asking)
  await deleteUsers(app.db)
  const gone = await removePassword(app, asking)
  expect([changed, gone]).toEqual([{ result: 'ended' }, { result: 'ended' }])
})
