import { expect, test } from 'vitest'
import { ann, bob } from '../../testing/people.ts'
import { allJobs, allUsers, setEmailOf, deleteUsers } from '../../testing/database/rows.ts'
import { appWithAnn } from '../../testing/app-with-ann.ts'
import { changeProfile } from './change-profile.ts'

test('the profile of an account that was deleted meanwhile is not stored, and no mail is queued', async () => {
  const { app, login } = await appWithAnn()
  await deleteUsers(app.db)
  const tried = await changeProfile(app, login, { name: 'Ann B.', email: 'ann.b@x.test' })
  expect([tried, await allUsers(app.db)]).toEqual([{ result: 'ended' }, []])
  expect(await allJobs(app.db)).toHaveLength(1)
})

test('a queued reset mail is cancelled when the account gives up the email it goes to', async () => {
  const { app, login } = await appWithAnn()
  for (const email of [ann.email, bob.email])
    await app.browser().post('/forgot-password', { email })
  await changeProfile(app, login, { name: ann.name, email: 'ann.b@x.test' })
  const resets = (await allJobs(app.db)).filter(({ name }) => name === 'ResetMail')
  expect(resets.map(({ payload }) => payload)).toEqual([JSON.stringify({ email: bob.email })])
})

test('the notice of an email change goes to the email that was replaced, even if that had just changed', async () => {
  const { app, login } = await appWithAnn()
  await setEmailOf(app.db, 1, 'moment@x.test')
  await changeProfile(app, login, { name: 'Ann', email: 'ann.b@x.test' })
  const notice = (await allJobs(app.db)).find(({ name }) => name === 'notification-mail')
  expect(JSON.parse(notice?.payload ?? '{}')).toMatchObject({ to: { address: 'moment@x.test' } })
})
