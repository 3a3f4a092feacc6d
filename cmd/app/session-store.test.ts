import { expect, test } from 'vitest'
import {
  emptyFolder,
  required,
  serve,
  type Served,
} from '../../internal/testing/processes/executable.ts'
import { ann, registration } from '../../internal/testing/people.ts'
import type { Browser } from '../../internal/testing/browser.ts'

const credentials = { email: ann.email, password: ann.password }

/** Returns a browser with the earlier cookies, for the same service after a restart. */
function browserOf(app: Served, before?: Browser): Browser {
  const browser = app.browser()
  for (const [name, value] of before?.cookies ?? []) browser.cookies.set(name, value)
  return browser
}

test('moving sessions to the database keeps logins across restarts, and moving back logs everybody out', async () => {
  const folder = emptyFolder()
  const settings = await required()
  const start = (overrides: Readonly<Record<string, string>> = {}) =>
    serve({ folder, settings: { ...settings, ...overrides } })
  const table = { SESSION_STORE: 'database' }

  const cookies = await start()
  const first = browserOf(cookies)
  await first.post('/register', registration(ann))
  const away = browserOf(cookies)
  await away.post('/login', credentials)
  await cookies.stop()

  const moved = await start(table)
  const second = browserOf(moved, first)
  const atMove = await second.get('/')
  await moved.stop()

  const restarted = await start(table)
  const third = browserOf(restarted, second)
  const atRestart = await third.get('/')
  await restarted.stop()

  const back = await start()
  const atEnd = await browserOf(back, third).get('/')
  // This browser did not come back while sessions were in the database.
  const awayAtEnd = await browserOf(back, away).get('/')
  const users = [atMove.user?.name, atRestart.user?.name, atEnd.user, awayAtEnd.user]
  expect(users).toEqual(['Ann', 'Ann', null, null])
  const fourth = browserOf(back)
  await fourth.post('/login', credentials)
  await back.stop()

  const again = await start()
  expect((await browserOf(again, fourth).get('/')).user?.name).toBe('Ann')
})
