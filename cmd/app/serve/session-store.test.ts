import { expect, test } from 'vitest'
import {
  emptyFolder,
  requiredSettings,
  serve,
  type Served,
} from '../../../internal/testing/processes/executable.ts'
import { ann, registration } from '../../../internal/testing/people.ts'
import type { Browser } from '../../../internal/testing/browser.ts'

const credentials = { email: ann.email, password: ann.password }

/** Returns a browser with the earlier cookies, for the same service after a restart. */
function browserOf(app: Served, before?: Browser): Browser {
  const browser = app.browser()
  for (const [name, value] of before?.cookies ?? []) browser.cookies.set(name, value)
  return browser
}

test('moving sessions to the database keeps logins across restarts, and moving back logs everybody out', async () => {
  const folder = emptyFolder()
  const settings = await requiredSettings()
  const start = (overrides: Readonly<Record<string, string>> = {}) =>
    serve({ folder, settings: { ...settings, ...overrides } })
  const table = { SESSION_STORE: 'database' }

  const cookieServer = await start()
  const firstBrowser = browserOf(cookieServer)
  await firstBrowser.post('/register', registration(ann))
  const absentBrowser = browserOf(cookieServer)
  await absentBrowser.post('/login', credentials)
  await cookieServer.stop()

  const tableServer = await start(table)
  const secondBrowser = browserOf(tableServer, firstBrowser)
  const visitAfterMove = await secondBrowser.get('/')
  await tableServer.stop()

  const restartedServer = await start(table)
  const thirdBrowser = browserOf(restartedServer, secondBrowser)
  const visitAfterRestart = await thirdBrowser.get('/')
  await restartedServer.stop()

  const cookieServerAgain = await start()
  const visitAtEnd = await browserOf(cookieServerAgain, thirdBrowser).get('/')
  // This browser did not come back while sessions were in the database.
  const absentVisitAtEnd = await browserOf(cookieServerAgain, absentBrowser).get('/')
  const users = [
    visitAfterMove.user?.name,
    visitAfterRestart.user?.name,
    visitAtEnd.user,
    absentVisitAtEnd.user,
  ]
  expect(users).toEqual(['Ann', 'Ann', null, null])
  const fourthBrowser = browserOf(cookieServerAgain)
  await fourthBrowser.post('/login', credentials)
  await cookieServerAgain.stop()

  const lastServer = await start()
  expect((await browserOf(lastServer, fourthBrowser).get('/')).user?.name).toBe('Ann')
})
