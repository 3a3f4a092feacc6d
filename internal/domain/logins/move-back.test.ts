import { expect, test } from 'vitest'
import { logins } from '#db/logins'
import { addLogins } from '../../testing/database/add-logins.ts'
import { allLogins } from '../../testing/database/rows.ts'
import { addUser, loginOf } from '../../testing/database/user-rows.ts'
import { beforeNextTransaction } from '../../testing/app-hooks.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { endLoginsOnceBack } from './move-back.ts'

/** Starts a server on the database of an app, which keeps its sessions there. */
function startWith(app: TestApp, sessionStore: 'cookie' | 'database'): Promise<void> {
  return endLoginsOnceBack({ ...app, config: { ...app.config, sessionStore } })
}

/** An app whose sessions were kept in the database, with more logins than are ended at once. */
async function withManyLogins() {
  const app = await testApp()
  const user = await addUser(app.db)
  await startWith(app, 'database')
  await app.db.transaction((tx) => addLogins(tx, { count: 600, endsAt: app.now() }))
  return { app, user }
}

test('a start that is cut off while it ends all logins, since sessions move back into cookies, is gone on with by the next', async () => {
  const { app } = await withManyLogins()
  let begun = 0
  const cutOff = beforeNextTransaction(app, async () => {
    begun++
    if (begun === 2) throw new Error('It was killed.')
  })
  await expect(startWith(cutOff, 'cookie')).rejects.toThrow('It was killed.')
  const left = await allLogins(app.db)
  expect([left.length > 0, left.length < 600]).toEqual([true, true])
  await startWith(app, 'cookie')
  expect(await allLogins(app.db)).toEqual([])
})

test('of two servers that start at once, the slower one leaves the logins made on the other', async () => {
  const { app, user } = await withManyLogins()
  const slower = beforeNextTransaction(app, async () => {
    await startWith(app, 'cookie')
    await app.db.transaction((tx) => logins.insert(tx, loginOf(user, 'this browser')))
  })
  await startWith(slower, 'cookie')
  expect(await allLogins(app.db)).toHaveLength(1)
})
