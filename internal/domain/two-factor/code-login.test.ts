import { browserFacts } from '../../testing/browser-facts.ts'
import { expect, test } from 'vitest'
import { beforeNextTransaction } from '../../testing/app-hooks.ts'
import { ann, logIn } from '../../testing/people.ts'
import { allLogins, allUsers, setPasswordHash } from '../../testing/database/rows.ts'
import { sessionOf } from '../../testing/session-of.ts'
import { testApp } from '../../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import { finishLogin } from './code-login.ts'

test('a password change during the check of a code ends the login, and the code is not used up', async () => {
  const app = await testApp()
  const factor = await turnOn(app, await verifiedBrowser(app))
  const browser = app.browser()
  await logIn(browser, ann)
  const { waiting = '' } = sessionOf(app, browser)
  const [before] = await allUsers(app.db)
  const changing = beforeNextTransaction(app, () => setPasswordHash(app.db, 'another hash'))
  const tried = await finishLogin(changing, {
    waiting,
    submitted: { code: factor.code() },
    browser: browserFacts(),
  })
  const [after] = await allUsers(app.db)
  expect([tried, await allLogins(app.db)]).toMatchObject([{ result: 'over' }, [{ userId: 1 }]])
  expect(after?.twoFactorStep).toBe(before?.twoFactorStep)
})
