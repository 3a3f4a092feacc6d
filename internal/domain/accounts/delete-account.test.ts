import { expect, test } from 'vitest'
import { checkedThen } from '../../testing/meanwhile.ts'
import { ann, registered } from '../../testing/people.ts'
import { allUsers, keepHash, keepPhoto, allJobs } from '../../testing/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { deleteAccount } from './delete-account.ts'
import type { User } from '../../db/users.ts'

const proof = { password: ann.password, address: '192.0.2.1' }

/** An app with Ann in it, and her account. */
async function withAnn(): Promise<{ app: TestApp; user: User }> {
  const app = await testApp()
  await registered(app, ann)
  const [user] = await allUsers(app.db)
  if (!user) throw new Error('Ann was not kept.')
  return { app, user }
}

test('an account whose password was changed while it was checked is not deleted', async () => {
  const { app, user } = await withAnn()
  const changing = checkedThen(app, () => keepHash(app.db, 'another hash'))
  const tried = await deleteAccount(changing, user, proof)
  expect([tried, await allUsers(app.db)]).toMatchObject([{ result: 'ended' }, [{ id: 1 }]])
})

test('a photo that was chosen while the password was checked goes with its account', async () => {
  const { app, user } = await withAnn()
  const choosing = checkedThen(app, () => keepPhoto(app.db, 'photos/new.png'))
  const tried = await deleteAccount(choosing, user, proof)
  const [, job] = await allJobs(app.db)
  expect(tried).toEqual({ result: 'deleted' })
  expect([job?.name, job?.payload]).toEqual(['delete-file', '{"key":"photos/new.png"}'])
})

test('no password is right for an account that has none', async () => {
  const { app, user } = await withAnn()
  await keepHash(app.db, '')
  const tried = await deleteAccount(app, { ...user, passwordHash: '' }, { ...proof, password: '' })
  expect([tried, await allUsers(app.db)]).toMatchObject([{ result: 'wrong' }, [{ id: 1 }]])
})
