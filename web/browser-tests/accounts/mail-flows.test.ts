import type { BrowserContextOptions, Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { serve } from '../../../internal/testing/processes/executable.ts'
import { ann } from '../../../internal/testing/people.ts'
import { startSmtp, type Smtp } from '../../../internal/testing/network/smtp.ts'
import {
  awaitScript,
  awaitIdle,
  awaitLive,
  logIn,
  openProfile,
  register,
  timeIn,
} from '../../../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { login } from '#words/auth/login'
import { mailSent } from '#words/auth/mail-sent'
import { forgotPassword, resetPassword } from '#words/auth/recover'
import { settings } from '#words/settings/settings'

const chromium = chromiumOfFile()

/** Starts the executable and a mail server. */
async function serveWithMail() {
  const smtp = await startSmtp()
  const app = await serve({ settings: smtp.settings })
  return { app, smtp }
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((focusable) => focusable === document.activeElement)
}

function secondsIn(text: string | null): number {
  return Number(/\d+/.exec(text ?? ''))
}

/** Waits for the only mail of its kind, and returns its link. */
async function linkIn(smtp: Smtp, path: 'verify-email' | 'reset-password'): Promise<string> {
  const links = () =>
    smtp.received.flatMap(({ content }) => {
      // In quoted-printable a line that continues ends in `=`.
      const text = content.toString().replace(/=\r\n/g, '').replace(/=3D/g, '=')
      return new RegExp(String.raw`http://localhost:\d+/${path}/[^\s"<]+`).exec(text) ?? []
    })
  await expect.poll(links).toHaveLength(1)
  return links()[0] ?? ''
}

test('a user registers, follows the mailed link and reaches the dashboard', async () => {
  const { app, smtp } = await serveWithMail()
  const { page } = await openProfile(chromium(), app)
  await register(page, ann)
  await page.goto(await linkIn(smtp, 'verify-email'))
  await page.locator('#toasts').getByText(flashWords.verified).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
  await page.getByRole('heading', { name: /Ann/ }).waitFor()
})

test('a waiting verify page moves on when it becomes visible after the link was followed in another tab', async () => {
  const { app, smtp } = await serveWithMail()
  const { page, context } = await openProfile(chromium(), app)
  await register(page, ann)
  const otherTab = await context.newPage()
  await otherTab.goto(await linkIn(smtp, 'verify-email'))
  await otherTab.getByRole('heading', { name: /Ann/ }).waitFor()
  // Without a window no tab is ever hidden, so the browser's event has to be simulated.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('heading', { name: /Ann/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

test('an unverified user sees a toast on a page that needs a verified email, and none after registering', async () => {
  const { app } = await serveWithMail()
  const { page } = await openProfile(chromium(), app)
  await register(page, ann)
  await awaitLive(page)
  expect(await page.locator('.toast').count()).toBe(0)
  await page.getByRole('link', { name: mailSent.change }).click()
  await page.getByRole('link', { name: settings.security }).click()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  await page.getByRole('alert').getByText(flashWords.verifyFirst).waitFor()
  expect(await page.locator('.toast').count()).toBe(1)
})

test('the verification link can be sent again once, and a second time only after a minute', async () => {
  const { app, smtp } = await serveWithMail()
  const { page } = await openProfile(chromium(), app)
  await register(page, ann)
  await page.getByRole('button', { name: buttons.resend }).click()
  await page.locator('#toasts').getByText(flashWords.linkSent).waitFor()
  const resendButton = page.locator('[data-wait][aria-disabled=true]')
  expect(await resendButton.innerText()).toMatch(/^Send again in \d+ s$/)
  await resendButton.click({ force: true })
  // Nor without a client that holds it back.
  const earlyResponse = await page.request.post('/verify-email', {
    headers: { Origin: app.origin },
  })
  expect(await earlyResponse.text()).toMatch(/Too many tries\. Try again in \d+ seconds\./)
  // A mail that is asked for later arrives later.
  const body = new URLSearchParams({ email: ann.email })
  await fetch(`${app.origin}/forgot-password`, { method: 'POST', body, redirect: 'manual' })
  await linkIn(smtp, 'reset-password')
  // The mail of the registration: the other one is sent when its minute is over.
  expect(await linkIn(smtp, 'verify-email')).toContain('/verify-email/1/')
  expect(smtp.received).toHaveLength(2)
})

test('the wait for another mail is counted down, and another email can be entered meanwhile', async () => {
  const { app, smtp } = await serveWithMail()
  const { page, context } = await openProfile(chromium(), app)
  const posts: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
  })
  await page.goto('/forgot-password')
  await page.clock.install()
  // From here on nothing is counted down but by the test.
  await page.clock.pauseAt((await timeIn(page)) + 60_000)
  const scriptResponse = page.waitForResponse(/\/countdown-/)
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByRole('button', { name: buttons.sendResetLink }).click()
  const heading = page.getByRole('heading', { name: mailSent.heading })
  await heading.waitFor()
  await page.getByText(smtp.settings['MAIL_FROM_ADDRESS'] ?? '').waitFor()
  await expect.poll(() => hasFocus(heading)).toBe(true)
  const resendButton = page.locator('main button')
  const announcer = page.locator('[data-told]')
  await awaitScript(page, scriptResponse)
  await awaitIdle(page)
  await page.clock.runFor(2_500)
  expect(await resendButton.getAttribute('aria-disabled')).toBe('true')
  // The name that is read out changes every ten seconds, the visible text every second.
  const [text, name] = [
    await resendButton.innerText(),
    await resendButton.getAttribute('aria-label'),
  ]
  await page.clock.runFor(2_000)
  expect(secondsIn(text) - secondsIn(await resendButton.innerText())).toBe(2)
  expect(await resendButton.getAttribute('aria-label')).toBe(name)
  await page.clock.runFor(10_000)
  expect(secondsIn(name) - secondsIn(await resendButton.getAttribute('aria-label'))).toBe(10)
  await resendButton.focus()
  await page.keyboard.press('Enter')
  await page.clock.runFor(60_000)
  expect([await resendButton.innerText(), await announcer.textContent()]).toEqual([
    mailSent.again,
    mailSent.canAgain,
  ])
  expect(await resendButton.getAttribute('aria-disabled')).toBe(null)
  expect(posts).toEqual(['/forgot-password'])
  // The server's own minute runs on: one second later.
  const loadPage = async () => (await page.request.get('/forgot-password')).text()
  await expect.poll(loadPage).not.toContain(mailSent.againIn(60))
  await page.keyboard.press('Enter')
  await expect.poll(() => resendButton.innerText()).toMatch(/^Send again in \d+ s$/)
  expect([await hasFocus(resendButton), await announcer.textContent()]).toEqual([true, ''])
  expect(posts).toEqual(['/forgot-password', '/forgot-password'])
  await page.getByRole('link', { name: mailSent.another }).click()
  await page.getByRole('heading', { name: forgotPassword.heading }).waitFor()
  expect(await page.getByLabel(labels.email).inputValue()).toBe(ann.email)
})

test('without JavaScript the button that sends a mail again is enabled and shows no countdown', async () => {
  const { app } = await serveWithMail()
  const { page } = await openProfile(chromium(), app, { javaScriptEnabled: false })
  await page.goto('/forgot-password')
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByRole('button', { name: buttons.sendResetLink }).click()
  const resendButton = page.getByRole('button', { name: mailSent.again, exact: true })
  await resendButton.waitFor()
  expect([await resendButton.innerText(), await resendButton.isEnabled()]).toEqual([
    mailSent.again,
    true,
  ])
})

test('a user who forgot the password can set a new one by mail', () => resetByMail())

test('without JavaScript a user who forgot the password can set a new one by mail', () =>
  resetByMail({ javaScriptEnabled: false }))

/** Sets a new password in a browser of these options, and logs in with it in another. */
async function resetByMail(options: BrowserContextOptions = {}): Promise<void> {
  const { app, smtp } = await serveWithMail()
  const registeredBrowser = await openProfile(chromium(), app)
  await register(registeredBrowser.page, ann)
  const { page } = await openProfile(chromium(), app, options)
  await page.goto('/login')
  await page.getByRole('link', { name: login.forgot }).click()
  await page.getByRole('heading', { name: forgotPassword.heading }).waitFor()
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByRole('button', { name: buttons.sendResetLink }).click()
  await page.getByText(flashWords.resetSent).first().waitFor()
  await page.goto(await linkIn(smtp, 'reset-password'))
  await page.getByRole('heading', { name: resetPassword.heading }).waitFor()
  await page.getByLabel(labels.newPassword).fill('another word')
  await page.getByLabel(labels.confirmPassword).fill('another word')
  await page.getByRole('button', { name: buttons.setPassword }).click()
  await page.getByText(flashWords.passwordSet).first().waitFor()
  await registeredBrowser.page.goto('/login')
  await logIn(registeredBrowser.page, { ...ann, password: 'another word' })
  await registeredBrowser.page.getByRole('heading', { name: /Ann/ }).waitFor()
}

test('the wait for another mail is counted down to its end although the clock is set back meanwhile', async () => {
  const { app } = await serveWithMail()
  const { page } = await openProfile(chromium(), app)
  await page.goto('/forgot-password')
  await page.clock.install()
  // From here on nothing is counted down but by the test.
  await page.clock.pauseAt((await timeIn(page)) + 60_000)
  const scriptResponse = page.waitForResponse(/\/countdown-/)
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByRole('button', { name: buttons.sendResetLink }).click()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  await awaitScript(page, scriptResponse)
  await awaitIdle(page)
  await page.clock.runFor(2_500)
  await page.clock.setSystemTime((await timeIn(page)) - 60 * 60_000)
  await page.clock.runFor(65_000)
  expect(await page.locator('main button').innerText()).toBe(mailSent.again)
})
