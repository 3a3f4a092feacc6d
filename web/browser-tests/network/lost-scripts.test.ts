import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  failOnce,
  logIn,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { login } from '#words/auth/login'
import { forgotPassword } from '#words/auth/recover'

const chromium = chromiumOfFile()
const allowedErrors = { allowed: /ERR_FAILED|Failed to fetch dynamically/ }

test('a guest for whom a page’s script failed once is not told that the browser accepts no cookies', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  await failOnce(page, /\/card-\w+\.js/)
  await page.getByRole('link', { name: login.forgot }).click()
  await page.getByText(forgotPassword.lead).waitFor()
  await page.locator('html[data-started]').waitFor()
  expect(await page.locator('#toasts').textContent()).toBe('')
})

test('a wrong password is reported even if the script that draws the page failed to load once', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  await failOnce(page, /\/login-\w+\.js/)
  const loaded = page.waitForEvent('load')
  await logIn(page, ann)
  await loaded
  await page.locator('#toasts').getByText(errorWords.wrongLogin).waitFor()
  await expect.poll(() => page.getByLabel(labels.email).inputValue()).toBe(ann.email)
})

test('a wrong password is reported once even if the script that stores typed text also fails to load', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  await Promise.all([page.waitForResponse(/\/typed-/), page.mouse.move(9, 9)])
  await failOnce(page, /\/login-\w+\.js/)
  await page.route(/\/typed-/, (route) => route.abort())
  const loaded = page.waitForEvent('load')
  await logIn(page, ann)
  await loaded
  await page.locator('#toasts').getByText(errorWords.wrongLogin).waitFor()
  await page.reload()
  expect(await page.locator('#toasts').textContent()).toBe('')
})

test('a page of which a script fails to load works as without JavaScript and shows its flash', async () => {
  const { page, app } = await serveWithProfile(chromium(), allowedErrors)
  await registerVerified(app, page, ann)
  await page.goto('/settings/profile')
  const body = { form: { _method: 'PATCH', name: 'Ann Other', email: ann.email } }
  const options = { headers: { Origin: app.origin }, maxRedirects: 0 }
  await page.request.post('/settings/profile', { ...body, ...options })
  await failOnce(page, /\/settings-\w+\.js/)
  await page.goto('/settings/profile', { waitUntil: 'commit' })
  await page.locator('.flash').getByText(flashWords.profileSaved).waitFor()
  await page.locator('summary', { hasText: buttons.deleteAccount }).click()
  await page.locator('details[open] + dialog').waitFor()
})

test('a logout is confirmed in a toast even if the script of the next page failed to load once', async () => {
  const { page, app } = await serveWithProfile(chromium(), allowedErrors)
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  await failOnce(page, /\/none-\w+\.js/)
  await page.locator('summary').click()
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: buttons.logOut }).click()
  await loaded
  await page.locator('#toasts').getByText(flashWords.loggedOut).waitFor()
})
