import { expect, test } from 'vitest'
import { addUsers } from '#testing/many-users'
import { addUser, ann, keyOf } from '../../testing/database/user-rows.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { renewEmailKeys } from './renew-email-keys.ts'

const running = new AbortController().signal

/** Adds an account as an older version stored it: by its email in lower case. */
function addOlder(app: TestApp, email: string) {
  return addUser(app.db, { ...ann, email, emailKey: email.toLowerCase() })
}

async function keys(app: TestApp): Promise<string[]> {
  return (await allUsers(app.db)).map(({ emailKey }) => emailKey)
}

test('the email key of an older version is renewed to the ASCII form of its domain', async () => {
  const app = await testApp()
  const now = app.now()
  await addUsers(app.db, { users: 1500, hash: '', now, endsAt: now, browser: keyOf('x') })
  await addOlder(app, 'Ann@Bücher.test')
  await renewEmailKeys(app, running)
  expect((await keys(app)).slice(-2)).toEqual(['user1500@example.com', 'ann@xn--bcher-kva.test'])
})

test('email keys are renewed only once', async () => {
  const app = await testApp()
  await renewEmailKeys(app, running)
  await addOlder(app, 'ann@bücher.test')
  await renewEmailKeys(app, running)
  expect(await keys(app)).toEqual(['ann@bücher.test'])
})

test('an aborted renewal of email keys is done by the next start', async () => {
  const app = await testApp()
  await addOlder(app, 'ann@bücher.test')
  await renewEmailKeys(app, AbortSignal.abort())
  expect(await keys(app)).toEqual(['ann@bücher.test'])
  await renewEmailKeys(app, running)
  expect(await keys(app)).toEqual(['ann@xn--bcher-kva.test'])
})

test('two accounts whose emails are now the same are left as they are, and one is logged', async () => {
  const app = await testApp()
  await addOlder(app, 'ann@bücher.test')
  const { id } = await addOlder(app, 'ann@xn--bcher-kva.test')
  await renewEmailKeys(app, running)
  expect(await keys(app)).toEqual(['ann@bücher.test', 'ann@xn--bcher-kva.test'])
  expect(app.logLines.map(({ level, message, facts }) => [level, message, facts.user])).toEqual([
    ['warn', 'another account has the same email, written in another way', id - 1],
  ])
})

test('two servers that renew email keys at once log no warning', async () => {
  const app = await testApp()
  await addOlder(app, 'ann@bücher.test')
  await Promise.all([renewEmailKeys(app, running), renewEmailKeys(app, running)])
  expect([await keys(app), app.logLines]).toEqual([['ann@xn--bcher-kva.test'], []])
})
