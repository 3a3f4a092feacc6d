import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../internal/testing/chromium/chromium.ts'
import { ann, bob } from '../internal/testing/people.ts'
import {
  awaitScript,
  failOnce,
  holdRequests,
  awaitLive,
  logIn,
  registerVerified,
  submitsForm,
  serveWithProfile,
} from '../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { offline } from '#words/offline'
import { forgotPassword } from '#words/recover'
import { settings } from '#words/settings'
import { login } from '#words/login'

const chromium = chromiumOfFile()
// Requests in flight are aborted.
const allowedErrors = { allowed: /ERR_FAILED|dynamically imported|Error: \/assets\/.*css/ }
const elsewhere = 'http://elsewhere.test/'

test('a user who leaves the site while a page’s script loads is not taken back', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  await leave(page, /\/card-/, () =>
    page.getByRole('link', { name: buttons.createAccount }).click(),
  )
})

test('a user who leaves the site while going back to an earlier page is not taken back', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  // Without a pointer event, which would load the script that shows an error page instead.
  await page.getByRole('link', { name: login.forgot }).dispatchEvent('click')
  await page.getByText(forgotPassword.lead).waitFor()
  await leave(page, /\/login$/, () =>
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
  await leave(page, /\/ceremony-/, () =>
    page.getByRole('button', { name: buttons.addPasskey }).click(),
  )
})

test('a user who leaves the site during a page request is not told that the server is unreachable', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  const link = page.getByRole('link', { name: buttons.createAccount })
  expect(await leave(page, /\/register$/, () => link.click())).toEqual([])
})

test('a user who leaves the site while a form is in flight is not told that the server is unreachable', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  expect(await leave(page, /\/login$/, () => logIn(page, ann))).toEqual([])
})

test('a user who leaves the site during a passkey request is not told that the server is unreachable', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  const button = page.getByRole('button', { name: buttons.logInPasskey })
  expect(await leave(page, /\/login\/passkey\/options$/, () => button.click())).toEqual([])
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
  const { page } = await sendUnheard()
  await page.reload()
  await page.getByRole('alert').getByText(offline.unheard).waitFor()
  // Only once: its first messages are there when its scripts have started.
  await page.reload()
  await awaitLive(page)
  expect(await page.getByText(offline.unheard).count()).toBe(0)
})

test('a link followed while a form is in flight leads to a page that says the form’s result is unknown', async () => {
  const { page } = await sendUnheard()
  await page.getByRole('link', { name: settings.profile }).first().click()
  await page.clock.fastForward(10_000)
  await page.waitForURL('/settings/profile')
  await page.getByRole('alert').getByText(offline.unheard).waitFor()
})

test('a form answered while the page is being left is not reported as having an unknown result', async () => {
  const { page, answer } = await sendUnheard()
  const { isHeld, release } = await holdRequests(page, /\/settings\/security$/)
  // A page that is being left cannot be queried: it reports by itself.
  const isAnswered = page.waitForEvent('console', (line) => line.type() === 'debug')
  await page.evaluate(() => {
    const watching = new MutationObserver(() => console.debug('answered'))
    watching.observe(document.querySelector('#toasts [role=status]') as Element, {
      childList: true,
    })
    location.reload()
  })
  await isHeld
  answer()
  expect((await isAnswered).text()).toBe('answered')
  const listens = page.waitForRequest('**/broadcasts*')
  release()
  await listens
  expect(await page.getByText(offline.unheard).count()).toBe(0)
})

/** Sends Ann's new password, which has no answer until `answer` is called. */
async function sendUnheard(): Promise<{ readonly page: Page; readonly answer: () => void }> {
  const { page, app } = await serveWithProfile(chromium(), allowedErrors)
  await registerVerified(app, page, ann)
  await page.clock.install()
  const module = page.waitForResponse(/\/typed-/)
  await page.goto('/settings/security')
  const released = Promise.withResolvers<void>()
  await page.route('**/settings/password', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.getByLabel(labels.currentPassword).fill(ann.password)
  await page.getByLabel(labels.newPassword, { exact: true }).fill(bob.password)
  await page.getByLabel(labels.confirmPassword).fill(bob.password)
  await awaitScript(page, module)
  const sent = page.waitForRequest(submitsForm)
  await page.keyboard.press('Enter')
  await sent
  return { page, answer: () => released.resolve() }
}

/**
 * Leaves for another site while a request of the work is in flight, and returns what the page says meanwhile.
 * The request is aborted when the leaving begins, as in Firefox and WebKit.
 */
async function leave(page: Page, pattern: RegExp, work: () => Promise<unknown>): Promise<string[]> {
  const begun = Promise.withResolvers<void>()
  // A page that is being left cannot be queried: it reports by itself.
  const messages: string[] = []
  page.on('console', (line) => void (line.type() === 'debug' && messages.push(line.text())))
  await page.evaluate(() => {
    const watching = new MutationObserver(() => {
      for (const alert of document.querySelectorAll('[role=alert]'))
        console.debug(alert.textContent)
    })
    watching.observe(document.body, { childList: true, subtree: true })
  })
  const ended = page.waitForEvent('requestfailed', (request) => pattern.test(request.url()))
  await page.route(pattern, async (route) => {
    await begun.promise
    await route.abort()
  })
  await page.route(elsewhere, async (route) => {
    begun.resolve()
    await ended
    await route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' })
  })
  await Promise.all([page.waitForRequest(pattern), work()])
  await page.evaluate((address) => location.assign(address), elsewhere)
  await page.waitForURL(elsewhere)
  return messages.filter(Boolean)
}
