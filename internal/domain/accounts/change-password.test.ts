import { expect, test } from 'vitest'
import { randomId } from '../../base/random.ts'
import { hashedThen } from '../../testing/meanwhile.ts'
import { ann } from '../../testing/people.ts'
import {
  addKeys,
  allLogins,
  allNotifications,
  allUsers,
  keepHash,
  loseUsers,
} from '../../testing/rows.ts'
import { withAnn } from '../../testing/with-ann.ts'
import { changePassword, removePassword } from './change-password.ts'

const browser = { id: randomId(), userAgent: 'Firefox', address: '192.0.2.1' }
const asking = { browser, remember: false }
const passwords = { current: ann.password, password: 'another word' }

test('a password that was changed while the new one was hashed stays, and so do its logins', async () => {
  const { app, user } = await withAnn()
  const changing = hashedThen(app, () => keepHash(app.db, 'another hash'))
  const tried = await changePassword(changing, user, passwords, asking)
  const [now] = await allUsers(app.db)
  expect([tried, now?.passwordHash]).toEqual([{ result: 'ended' }, 'another hash'])
  expect([await allLogins(app.db), await allNotifications(app.db)]).toMatchObject([
    [{ userId: 1 }],
    [],
  ])
})

test('an account that was deleted while its new password was hashed stays deleted', async () => {
  const { app, user } = await withAnn()
  const deleting = hashedThen(app, () => loseUsers(app.db))
  const tried = await changePassword(deleting, user, passwords, asking)
  expect([tried, await allUsers(app.db)]).toEqual([{ result: 'ended' }, []])
})

test('of two first passwords at once one is set', async () => {
  const { app, user } = await withAnn()
  await keepHash(app.db, '')
  const nobodys = { ...user, passwordHash: '' }
  const tries = await Promise.all([
    changePassword(app, nobodys, passwords, asking),
    changePassword(app, nobodys, { ...passwords, password: 'a third word' }, asking),
  ])
  expect(tries.map(({ result }) => result).toSorted()).toEqual(['ended', 'set'])
  expect(await allNotifications(app.db)).toMatchObject([{ kind: 'password-set' }])
})

test('a password that was changed since is not removed', async () => {
  const { app, user } = await withAnn()
  await addKeys(app.db, app.now())
  await keepHash(app.db, 'another hash')
  const tried = await removePassword(app, user, asking)
  const [now] = await allUsers(app.db)
  expect([tried, now?.passwordHash]).toEqual([{ result: 'ended' }, 'another hash'])
})

test('a password that was kept under another hash is not taken for one without a passkey', async () => {
  const { app, user } = await withAnn()
  await keepHash(app.db, 'another hash')
  const changed = await removePassword(app, user, asking)
  await loseUsers(app.db)
  const gone = await removePassword(app, user, asking)
  expect([changed, gone]).toEqual([{ result: 'ended' }, { result: 'ended' }])
})
