import { expect, test } from 'vitest'
import { tokens } from '#db/tokens'
import { users } from '#db/users'
import { sha256 } from '../../base/crypto/random.ts'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { beforeNextTransaction } from '../../testing/app-hooks.ts'
import { allUsers, deleteUsers, setUserNames } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { deleteTokens } from '../../testing/database/token-rows.ts'
import { addToken } from '../../testing/tokens.ts'
import { asCaller } from './as-caller.ts'
import type { UsedToken } from '../../db/tokens.ts'

/** Makes a token of Ann's that is valid for an hour, and returns it as a call receives it. */
async function called(app: TestApp): Promise<UsedToken> {
  const user = await addUser(app.db)
  const expiresAt = new Date(app.now().getTime() + 60 * 60 * 1000)
  const hash = sha256(await addToken(app, user, { expiresAt }))
  const token = await tokens.use(app.db, { hash, now: app.now() })
  if (!token) throw new Error('The token does not stand.')
  return token
}

/** Adds Bob through a change by the token. */
function addBob(app: TestApp, token: UsedToken) {
  return asCaller(app, token, async (tx, { id }) => {
    await users.insert(tx, { ...ann, email: 'bob@x.test', emailKey: 'bob@x.test' })
    return { result: 'added', by: id }
  })
}

test('a change with a valid token is made for the token’s user', async () => {
  const app = await testApp()
  const token = await called(app)
  expect(await addBob(app, token)).toEqual({ result: 'added', by: token.id })
  expect(await allUsers(app.db)).toHaveLength(2)
})

test('a change with a token sees the token’s user as they are by then', async () => {
  const app = await testApp()
  const token = await called(app)
  const meanwhile = beforeNextTransaction(app, () => setUserNames(app.db, 'Annabel'))
  expect(await asCaller(meanwhile, token, async (_, { name }) => name)).toBe('Annabel')
})

test.each([
  ['it was revoked', (app: TestApp) => deleteTokens(app.db), 1],
  ['it expired', (app: TestApp) => app.pass({ hours: 1 }), 1],
  ['its account was deleted', (app: TestApp) => deleteUsers(app.db), 0],
])('a change with a token that ended meanwhile writes nothing: %s', async (_, happens, left) => {
  const app = await testApp()
  const token = await called(app)
  const meanwhile = beforeNextTransaction(app, () => happens(app))
  expect(await addBob(meanwhile, token)).toEqual({ result: 'ended' })
  expect(await allUsers(app.db)).toHaveLength(left)
})
