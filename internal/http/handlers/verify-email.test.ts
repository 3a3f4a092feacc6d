import { expect, test } from 'vitest'
import { ann, logIn, registered } from '../../testing/people.ts'
import { verifyEmails } from '../../testing/rows.ts'
import { testApp } from '../../testing/test-app.ts'

test('GET /verify-email asks a user to verify the email it names', async () => {
  const app = await testApp()
  const browser = await registered(app, ann)
  const visit = await browser.get('/verify-email')
  expect([visit.status, visit.component]).toEqual([200, 'Auth/VerifyEmail'])
  expect(visit.page.props['email']).toBe('ann@x.test')
})

test('a guest on the way to the verify page logs in first and returns to it', async () => {
  const app = await testApp()
  await registered(app, ann)
  const browser = app.browser()
  const turned = await browser.get('/verify-email?from=mail')
  const back = await logIn(browser, ann)
  expect([turned.url, turned.component]).toEqual(['/login', 'Auth/Login'])
  expect([back.url, back.component]).toEqual(['/verify-email?from=mail', 'Auth/VerifyEmail'])
})

test('a user whose email is verified goes from the verify page to the dashboard', async () => {
  const app = await testApp()
  const browser = await registered(app, ann)
  await verifyEmails(app.db, app.now())
  const visit = await browser.get('/verify-email', { stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/dashboard'])
})
