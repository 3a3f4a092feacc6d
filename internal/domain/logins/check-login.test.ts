import { browserFacts } from '../../testing/browser-facts.ts'
import { expect, test } from 'vitest'
import { ann, bob, logIn } from '../../testing/people.ts'
import { allLogins, setPasswordHash, deleteUsers } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { register } from '../accounts/register.ts'
import { findVisitor } from './check-login.ts'
import { logOut } from './log-out.ts'
import type { Login } from './make-login.ts'

const browser = browserFacts()

async function loginOf(app: TestApp, person = ann): Promise<Login> {
  const made = await register(app, person, browser)
  if (made.result !== 'made') throw new Error(`${person.email} is taken`)
  return made.login
}

test('a login finds its user and the count of unread notifications', async () => {
  const app = await testApp()
  const login = await loginOf(app)
  const visitor = await findVisitor(app, login)
  expect(visitor).toMatchObject({ user: { id: 1, name: 'Ann', email: 'ann@x.test' }, unread: 0 })
})

test('a login whose row is gone finds nobody', async () => {
  const app = await testApp()
  const login = await loginOf(app)
  await logOut(app, login)
  expect(await findVisitor(app, login)).toBe(undefined)
  expect(await allLogins(app.db)).toEqual([])
})

test('a login whose user is gone finds nobody', async () => {
  const app = await testApp()
  const login = await loginOf(app)
  await deleteUsers(app.db)
  expect(await findVisitor(app, login)).toBe(undefined)
})

test('a login that names another user finds nobody', async () => {
  const app = await testApp()
  const login = await loginOf(app)
  const other = await loginOf(app, bob)
  expect(await findVisitor(app, { ...login, userId: other.userId })).toBe(undefined)
})

test('a login made with an older password hash finds nobody', async () => {
  const app = await testApp()
  const login = await loginOf(app)
  await setPasswordHash(app.db, '')
  expect(await findVisitor(app, login)).toBe(undefined)
})

test('a login that has ended finds nobody', async () => {
  const app = await testApp()
  const login = await loginOf(app)
  await app.pass({ hours: 2 })
  expect(await findVisitor(app, login)).toBe(undefined)
})

test('last-seen is written at most once a minute, and moves the end of the login', async () => {
  const app = await testApp()
  const login = await loginOf(app)
  const start = app.now().getTime()
  await app.pass({ seconds: 59 })
  await findVisitor(app, login)
  await app.awaitWrites()
  const [early] = await allLogins(app.db)
  await app.pass({ seconds: 1 })
  await findVisitor(app, login)
  await app.awaitWrites()
  const [late] = await allLogins(app.db)
  expect(early?.lastSeenAt.getTime()).toBe(start)
  expect(late).toMatchObject({
    loggedInAt: new Date(start),
    lastSeenAt: new Date(start + 60_000),
    endsAt: new Date(start + 60_000 + 2 * 60 * 60_000),
  })
})

test('logging out ends one login and leaves the others of the account', async () => {
  const app = await testApp()
  const login = await loginOf(app)
  await logIn(app.browser(), ann)
  await logOut(app, login)
  expect(await findVisitor(app, login)).toBe(undefined)
  expect(await allLogins(app.db)).toHaveLength(1)
})
