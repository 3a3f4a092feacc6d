import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann, bob } from '../../../internal/testing/people.ts'
import {
  awaitScript,
  failOnce,
  holdRequests,
  awaitLive,
  logIn,
  registerVerified,
  submitsForm,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { offline } from '#words/client/offline'
import { forgotPassword } from '#words/auth/recover'
import { settings } from '#words/settings/settings'
import { login } from '#words/auth/login'

const chromium = chromiumOfFile()
// Requests in flight are aborted.
const allowedErrors = { allowed: /ERR_FAILED|dynamically imported|Error: \/assets\/.*css/ }
const otherSite = 'http://elsewhere.test/'

test('a user who leaves the site while a page’s script loads is not taken back', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  await leaveDuring(page, /\/card-/, () =>
    page.getByRole('link', { name: buttons.createAccount }).click(),
  )
})

test('a user who leaves the site while going back to an earlier page is not taken back', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  // Without a pointer event, which would load the script that shows an error page instead.
  await page.getByRole('link', { name: login.forgot }).dispatchEvent('click')
  await page.getByText(forgotPassword.lead).waitFor()
  await leaveDuring(page, /\/login$/, () =>
    page.evaluate(() => {
      // Makes all pages in the history unreadable.
      localStorage.setItem('historyCleared', 'now')
      history.back()
    }),
  )
})

test('a user who leaves the site while the script for a new passkey loads is not taken back', async () => {
  const { page, app } = await serveWithProfile(chromium(), allowedErrors)
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await leaveDuring(page, /\/ceremony-/, () =>
    page.getByRole('button', { name: buttons.addPasskey }).click(),
  )
})

test('a user who leaves the site during a page request is not told that the server is unreachable', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  const link = page.getByRole('link', { name: buttons.createAccount })
  expect(await leaveDuring(page, /\/register$/, () => link.click())).toEqual([])
})

test('a user who leaves the site while a form is in flight is not told that the server is unreachable', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  expect(await leaveDuring(page, /\/login$/, () => logIn(page, ann))).toEqual([])
})

test('a user who leaves the site during a passkey request is not told that the server is unreachable', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  const button = page.getByRole('button', { name: buttons.logInPasskey })
  expect(await leaveDuring(page, /\/login\/passkey\/options$/, () => button.click())).toEqual([])
})

test('a page that stays open after it began to unload still recovers from a failed script', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  // As if the browser began to leave the page, but stayed on it.
  await page.evaluate(() => dispatchEvent(new Event('beforeunload')))
  await failOnce(page, /\/card-/)
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await page.getByRole('heading', { name: buttons.createAccount }).waitFor()
})

test('a reload while a form is in flight shows once that the form’s result is unknown', async () => {
  const { page } = await sendUnanswered()
  await page.reload()
  await page.getByRole('alert').getByText(offline.unheard).waitFor()
  // Only once: its first messages are there when its scripts have started.
  await page.reload()
  await awaitLive(page)
  expect(await page.getByText(offline.unheard).count()).toBe(0)
})

test('a link followed while a form is in flight leads to a page that says the form’s result is unknown', async () => {
  const { page } = await sendUnanswered()
  await page.getByRole('link', { name: settings.profile }).first().click()
  await page.clock.fastForward(10_000)
  await page.waitForURL('/settings/profile')
  await page.getByRole('alert').getByText(offline.unheard).waitFor()
})

test('a form answered while the page is being left is not reported as having an unknown result', async () => {
  const { page, answer } = await sendUnanswered()
  const { isHeld, release } = await holdRequests(page, /\/settings\/security$/)
  // A page that is being left cannot be queried: it reports by itself.
  const answeredMessage = page.waitForEvent('console', (message) => message.type() === 'debug')
  await page.evaluate(() => {
    const observer = new MutationObserver(() => console.debug('answered'))
    observer.observe(document.querySelector('#toasts [role=status]') as Element, {
      childList: true,
    })
    location.reload()
  })
  await isHeld
  answer()
  expect((await answeredMessage).text()).toBe('answered')
  const streamRequest = page.waitForRequest('**/broadcasts*')
  release()
  await streamRequest
  expect(await page.getByText(offline.unheard).count()).toBe(0)
})

/** Sends Ann's new password, which has no answer until `answer` is called. */
async function sendUnanswered(): Promise<{ readonly page: Page; readonly answer: () => void }> {
  const { page, app } = await serveWithProfile(chromium(), allowedErrors)
  await registerVerified(app, page, ann)
  await page.clock.install()
  const scriptResponse = page.waitForResponse(/\/typed-/)
  await page.goto('/settings/security')
  const released = Promise.withResolvers<void>()
  await page.route('**/settings/password', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.getByLabel(labels.currentPassword).fill(ann.password)
  await page.getByLabel(labels.newPassword, { exact: true }).fill(bob.password)
  await page.getByLabel(labels.confirmPassword).fill(bob.password)
  await awaitScript(page, scriptResponse)
  const formRequest = page.waitForRequest(submitsForm)
  await page.keyboard.press('Enter')
  await formRequest
  return { page, answer: () => released.resolve() }
}

/**
 * Leaves for another site while a request of the work is in flight, and returns what the page says meanwhile.
 * The request is aborted when the leaving begins, as in Firefox and WebKit.
 */
async function leaveDuring(
  page: Page,
  pattern: RegExp,
  startRequest: () => Promise<unknown>,
): Promise<string[]> {
  const leaving = Promise.withResolvers<void>()
  // A page that is being left cannot be queried: it reports by itself.
  const messages: string[] = []
  page.on(
    'console',
    (message) => void (message.type() === 'debug' && messages.push(message.text())),
  )
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      for (const alert of document.querySelectorAll('[role=alert]'))
        console.debug(alert.textContent)
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
  const requestFails = page.waitForEvent('requestfailed', (request) => pattern.test(request.url()))
  await page.route(pattern, async (route) => {
    await leaving.promise
    await route.abort()
  })
  await page.route(otherSite, async (route) => {
    leaving.resolve()
    await requestFails
    await route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' })
  })
  await Promise.all([page.waitForRequest(pattern), startRequest()])
  await page.evaluate((address) => location.assign(address), otherSite)
  await page.waitForURL(otherSite)
  return messages.filter(Boolean)
}
