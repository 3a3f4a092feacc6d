import { expect, test } from 'vitest'
import { emailKey } from '../../base/email.ts'
import { logInAs } from '../../testing/database/user-rows.ts'
import { afterPasswordCheck } from '../../testing/app-hooks.ts'
import { countChallenges } from '../../testing/passkeys.ts'
import { ann, bob, logIn, registeredBrowser } from '../../testing/people.ts'
import {
  addFailedJob,
  addPasskeysAndTokens,
  allJobs,
  allUsers,
  countRowsOfUsers,
  setPasswordHash,
  setPhotoKey,
  deleteJobs,
  turnOnTwoFactor,
  verifyEmails,
  waitingLogins,
} from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { appWithAnn } from '../../testing/app-with-ann.ts'
import { addOptions } from '../passkeys/add.ts'
import { confirmOptions } from '../passkeys/confirm.ts'
import { deleteAccount, deleteAsAdministrator } from './delete-account.ts'

const proof = {
  password: ann.password,
  address: '192.0.2.1',
  credential: undefined,
  challenges: [],
}

test('an account whose password changes during the check is not deleted', async () => {
  const { app, login } = await appWithAnn()
  const changing = afterPasswordCheck(app, () => setPasswordHash(app.db, 'another hash'))
  const tried = await deleteAccount(changing, login, proof)
  expect([tried, await allUsers(app.db)]).toMatchObject([{ result: 'ended' }, [{ id: 1 }]])
})

test('a photo chosen while the password is checked is deleted with the account', async () => {
  const { app, login } = await appWithAnn()
  const choosing = afterPasswordCheck(app, () => setPhotoKey(app.db, 'photos/new.png'))
  const tried = await deleteAccount(choosing, login, proof)
  const [job] = await allJobs(app.db)
  expect(tried).toEqual({ result: 'deleted', how: 'password' })
  expect([job?.name, job?.payload]).toEqual(['delete-file', '{"key":"photos/new.png"}'])
})

test('an account without a password cannot be deleted with an empty password', async () => {
  const { app, user } = await appWithAnn()
  await setPasswordHash(app.db, '')
  const login = await logInAs(app, { ...user, passwordHash: '' })
  const tried = await deleteAccount(app, login, { ...proof, password: '' })
  expect([tried, await allUsers(app.db)]).toMatchObject([{ result: 'refused' }, [{ id: 1 }]])
})

test('queued and failed mails of an account are deleted with it, and those of other accounts stay', async () => {
  const { app, user, login } = await appWithAnn()
  await registeredBrowser(app, bob)
  for (const email of ['ANN@x.test', bob.email]) {
    await app.browser().post('/forgot-password', { email })
    await app.browser().post('/register/passkey', { name: 'New', email: `new.${email}` })
  }
  const failed = { error: '550 ann@x.test is unknown', tries: 10, at: app.now() }
  const to = { address: 'Ann@X.test', name: ann.name }
  await addFailedJob(app.db, {
    name: 'registration-mail',
    payload: { email: ann.email },
    ...failed,
  })
  await addFailedJob(app.db, { name: 'notification-mail', payload: { to }, ...failed })
  const ofOldEmail = { userId: user.id, to: { address: 'old@x.test' } }
  await addFailedJob(app.db, { name: 'notification-mail', payload: ofOldEmail, ...failed })
  // The email was Bob's, who is notified of its change: whoever took it over must not prevent that.
  const ofBob = { userId: 2, to }
  await addFailedJob(app.db, { name: 'notification-mail', payload: ofBob, ...failed })
  expect(await deleteAccount(app, login, proof)).toEqual({ result: 'deleted', how: 'password' })
  expect((await allJobs(app.db)).map(({ name, payload }) => [name, payload])).toEqual([
    ['VerifyMail', JSON.stringify({ userId: 2, email: bob.email })],
    ['registration-mail', registrationOf('new.ANN@x.test')],
    ['ResetMail', JSON.stringify({ email: bob.email })],
    ['registration-mail', registrationOf(`new.${bob.email}`)],
    ['notification-mail', JSON.stringify(ofBob)],
  ])
})

/** Returns the payload of a pending job that mails a registration link. */
function registrationOf(written: string): string {
  return JSON.stringify({ name: 'New', email: emailKey(written), written, language: 'en' })
}

test('a queued registration mail is deleted with the account even if its email was spelled differently', async () => {
  const app = await testApp()
  await app.browser().post('/register/passkey', { name: 'New', email: 'ÄNN@x.test' })
  await registeredBrowser(app, { ...ann, email: 'änn@x.test' })
  const [user] = await allUsers(app.db)
  if (user) await deleteAccount(app, await logInAs(app, user), proof)
  expect([await allUsers(app.db), await allJobs(app.db)]).toEqual([[], []])
})

test('mails to another email stay when an account is deleted, even if only a dot on a capital letter tells them apart', async () => {
  const app = await testApp()
  await app.browser().post('/forgot-password', { email: 'ida@x.test' })
  const browser = await registeredBrowser(app, { ...ann, email: 'İda@x.test' })
  await browser.post('/settings/profile', { _method: 'DELETE', password: ann.password })
  const jobs = (await allJobs(app.db)).map(({ name, payload }) => [name, payload])
  expect([await allUsers(app.db), jobs]).toEqual([[], [['ResetMail', '{"email":"ida@x.test"}']]])
})

test('a failed mail is not tried again once its account is deleted', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await verifyEmails(app.db, app.now())
  app.outbox.failNext()
  await logIn(app.browser(), ann)
  await expect.poll(() => app.logLines.some(({ message }) => message === 'job failed')).toBe(true)
  await browser.post('/settings/profile', { _method: 'DELETE', password: ann.password })
  expect(await allJobs(app.db)).toEqual([])
})

test('logins that wait for a code, and challenges, are deleted with their account', async () => {
  const { app, user, login } = await appWithAnn()
  await addOptions(app, login)
  await addPasskeysAndTokens(app.db, app.now())
  await confirmOptions(app, user)
  await turnOnTwoFactor(app.db)
  await logIn(app.browser(), ann)
  const before = [await waitingLogins(app.db), await countChallenges(app.db)]
  expect(await deleteAccount(app, login, proof)).toEqual({ result: 'deleted', how: 'password' })
  expect(before).toMatchObject([[{}], 2])
  expect([await waitingLogins(app.db), await countChallenges(app.db)]).toEqual([[], 0])
})

test('an account that an administrator deletes is deleted once, with all that belongs to it', async () => {
  const { app, user } = await appWithAnn()
  await setPhotoKey(app.db, 'photos/ann.png')
  await addPasskeysAndTokens(app.db, app.now())
  await deleteJobs(app.db)
  expect(await deleteAsAdministrator(app, user.id)).toMatchObject({ photo: 'photos/ann.png' })
  expect(await deleteAsAdministrator(app, user.id)).toBeUndefined()
  expect(new Set(Object.values(await countRowsOfUsers(app.db)))).toEqual(new Set([0]))
  expect((await allJobs(app.db)).map(({ payload }) => payload)).toEqual([
    '{"key":"photos/ann.png"}',
  ])
})
