import { browserFacts } from '../../testing/browser-facts.ts'
import { expect, test } from 'vitest'
import { ann } from '../../testing/people.ts'
import { allLogins, allUsers, dropLogins } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { isTaken, register } from './register.ts'

const browser = browserFacts()

test('an account is created together with its login, or not at all', async () => {
  const app = await testApp()
  await dropLogins(app.db)
  await expect(register(app, ann, browser)).rejects.toThrow('logins')
  expect(await allUsers(app.db)).toEqual([])
  expect(await isTaken(app, ann.email)).toBe(false)
})

test('registering a taken email creates no account and no login', async () => {
  const app = await testApp()
  const first = await register(app, ann, browser)
  const second = await register(app, { ...ann, email: 'ANN@x.test', name: 'Anna' }, browser)
  expect([first.result, second]).toEqual(['made', { result: 'taken' }])
  expect(await allUsers(app.db)).toMatchObject([{ name: 'Ann', email: 'ann@x.test' }])
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('an email is taken in any case and any Unicode form, but not without its accents', async () => {
  const app = await testApp()
  await register(app, { ...ann, email: '\u00E9@X.test' }, browser)
  const emails = ['\u00E9@x.test', '\u00C9@X.TEST', 'e\u0301@x.test', 'E\u0301@x.TEST', 'e@x.test']
  const taken = await Promise.all(emails.map((email) => isTaken(app, email)))
  expect(taken).toEqual([true, true, true, true, false])
})
