import { expect, test } from 'vitest'
import { logInAs } from '../../testing/added.ts'
import { checkedThen } from '../../testing/meanwhile.ts'
import { ann } from '../../testing/people.ts'
import {
  addKeys,
  allJobs,
  allUsers,
  countOwned,
  keepHash,
  keepPhoto,
  loseJobs,
} from '../../testing/rows.ts'
import { withAnn } from '../../testing/with-ann.ts'
import { deleteAccount, deleteForGood } from './delete-account.ts'

const proof = {
  password: ann.password,
  address: '192.0.2.1',
  credential: undefined,
  challenges: [],
}

test('an account whose password was changed while it was checked is not deleted', async () => {
  const { app, login } = await withAnn()
  const changing = checkedThen(app, () => keepHash(app.db, 'another hash'))
  const tried = await deleteAccount(changing, login, proof)
  expect([tried, await allUsers(app.db)]).toMatchObject([{ result: 'ended' }, [{ id: 1 }]])
})

test('a photo that was chosen while the password was checked goes with its account', async () => {
  const { app, login } = await withAnn()
  const choosing = checkedThen(app, () => keepPhoto(app.db, 'photos/new.png'))
  const tried = await deleteAccount(choosing, login, proof)
  const [, job] = await allJobs(app.db)
  expect(tried).toEqual({ result: 'deleted' })
  expect([job?.name, job?.payload]).toEqual(['delete-file', '{"key":"photos/new.png"}'])
})

test('no password is right for an account that has none', async () => {
  const { app, user } = await withAnn()
  await keepHash(app.db, '')
  const login = await logInAs(app, { ...user, passwordHash: '' })
  const tried = await deleteAccount(app, login, { ...proof, password: '' })
  expect([tried, await allUsers(app.db)]).toMatchObject([{ result: 'refused' }, [{ id: 1 }]])
})

test('an account that an administrator deletes goes with all that is its own, once', async () => {
  const { app, user } = await withAnn()
  await keepPhoto(app.db, 'photos/ann.png')
  await addKeys(app.db, app.now())
  await loseJobs(app.db)
  expect(await deleteForGood(app, user.id)).toBe(true)
  expect(await deleteForGood(app, user.id)).toBe(false)
  expect(new Set(Object.values(await countOwned(app.db)))).toEqual(new Set([0]))
  expect((await allJobs(app.db)).map(({ payload }) => payload)).toEqual([
    '{"key":"photos/ann.png"}',
  ])
})
