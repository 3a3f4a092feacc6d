import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  awaitRequests,
  logIn,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { appName } from '../../contract/name.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { challenge } from '#words/auth/challenge'
import { copying, twoFactor } from '#words/settings/two-factor'

const chromium = chromiumOfFile()
const clipboardOptions = { permissions: ['clipboard-read', 'clipboard-write'] }
const eightCodes = /^([a-z0-9]{5}-[a-z0-9]{5}\n){8}$/

test('the form of a code submits itself at the sixth digit, with spaces allowed', async () => {
  const { page } = await openSetup()
  const code = codeAt(await secretIn(page), new Date())
  await codeField(page).pressSequentially(`${code.slice(0, 3)} ${code.slice(3)}`)
  await awaitToast(page, flashWords.twoFactorOn)
})

test('the form of a code submits itself when a pasted code carries direction marks', async () => {
  const { page } = await openSetup()
  await codeField(page).fill(`\u202a${codeAt(await secretIn(page), new Date())}\u202c`)
  await awaitToast(page, flashWords.twoFactorOn)
})

test('the code field’s description says that the form submits itself', async () => {
  const { page } = await openSetup()
  const description = await codeField(page).evaluate((field) =>
    document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent?.trim(),
  )
  expect(description).toBe(twoFactor.codeSent)
})

test('without JavaScript no code field says that its form submits itself', async () => {
  const { page, app, context } = await serveWithProfile(chromium(), { javaScriptEnabled: false })
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  const code = codeAt(await secretIn(page), new Date())
  const areShown = [await isShown(page, twoFactor.codeSent)]
  await codeField(page).fill(code)
  await page.getByRole('button', { name: buttons.confirm }).click()
  await page.locator('#recovery-codes').waitFor()
  await context.clearCookies()
  await page.goto('/login')
  await logIn(page, ann)
  await page.getByText(challenge.codeHint).waitFor()
  areShown.push(await isShown(page, challenge.codeSent))
  expect(areShown).toEqual([false, false])
})

test('a code field with a character that is not a digit does not submit itself, but can be submitted', async () => {
  const { page } = await openSetup()
  const requests: string[] = []
  page.on('request', (request) => void requests.push(`${request.method()} ${request.url()}`))
  await codeField(page).pressSequentially('12345x7')
  await awaitRequests(page)
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([])
  await codeField(page).press('Enter')
  await page.getByText(errorWords.wrongCode).waitFor()
})

test('the two-factor challenge submits itself at the sixth digit and says so', async () => {
  const { page, app } = await openSetup()
  const secret = await secretIn(page)
  await codeField(page).fill(codeAt(secret, new Date()))
  await awaitToast(page, flashWords.twoFactorOn)
  await page.goto('/up')
  await page.context().clearCookies()
  await page.goto(`${app.origin}/login`)
  await logIn(page, ann)
  await page.getByRole('heading', { name: challenge.heading }).waitFor()
  expect(await page.locator('#code-hint').textContent()).toContain(challenge.codeSent)
  // The next code, since each is valid once.
  await codeField(page).fill(codeAt(secret, new Date(Date.now() + 30_000)))
  await page.waitForURL('/dashboard')
})

test('the secret is copied without the spaces it is displayed with', async () => {
  const { page } = await openSetup()
  await page.getByRole('button', { name: twoFactor.copyKey }).click()
  await awaitToast(page, copying.done)
  expect(await readClipboard(page)).toBe(await secretIn(page))
})

test('a text that the browser refuses to copy is selected, and a toast says so', async () => {
  const { page } = await openSetup()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
  })
  await page.getByRole('button', { name: twoFactor.copyKey }).click()
  await awaitToast(page, copying.failed)
  const selected = await page.evaluate(() => getSelection()?.toString().replace(/\s/g, ''))
  expect(selected).toBe(await secretIn(page))
})

test('the recovery codes can be copied, saved as a file and printed', async () => {
  const { page } = await turnOnTwoFactor()
  await page.getByRole('button', { name: twoFactor.copy, exact: true }).click()
  await awaitToast(page, copying.done)
  const text = `${await readClipboard(page)}\n`
  expect(text).toMatch(eightCodes)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: twoFactor.download }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe(`${appName}-recovery-codes.txt`)
  expect(await readFile(await file.path(), 'utf8')).toBe(text)
  await page.evaluate(() => {
    addEventListener('beforeprint', () => (document.title = 'printed'))
  })
  await page.getByRole('button', { name: twoFactor.print }).click()
  await expect.poll(() => page.title()).toBe('printed')
})

test('recovery codes are shown again on request, and the history does not store them', async () => {
  const { page } = await turnOnTwoFactor()
  await page.goto('/settings/security')
  const codes = page.locator('#recovery-codes li')
  expect(await codes.count()).toBe(0)
  await page.getByRole('button', { name: buttons.showRecoveryCodes }).click()
  await expect.poll(() => codes.count()).toBe(8)
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.waitForURL('/settings/profile')
  await page.goBack()
  await page.getByRole('button', { name: buttons.showRecoveryCodes }).waitFor()
  expect(await codes.count()).toBe(0)
})

/** Opens Ann's security page during her setup of two-factor login. */
async function openSetup() {
  const { page, app } = await serveWithProfile(chromium(), clipboardOptions)
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  const loaded = page.waitForEvent('requestfinished', (request) => /codes-/.test(request.url()))
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  await Promise.all([loaded, codeField(page).waitFor()])
  return { page, app }
}

/** Does the same and turns it on, with the codes still shown. */
async function turnOnTwoFactor() {
  const setup = await openSetup()
  await codeField(setup.page).fill(codeAt(await secretIn(setup.page), new Date()))
  await awaitToast(setup.page, flashWords.twoFactorOn)
  return setup
}

/** Whether a text is visible, with all stylesheets applied. */
async function isShown(page: Page, text: string): Promise<boolean> {
  await page.waitForLoadState()
  return page.getByText(text).isVisible()
}

function codeField(page: Page) {
  return page.getByLabel(labels.code, { exact: true })
}

async function secretIn(page: Page): Promise<string> {
  return (await page.locator('#secret').getAttribute('data-text')) ?? ''
}

function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

async function awaitToast(page: Page, text: string): Promise<void> {
  await page.locator('#toasts').getByText(text).waitFor()
}
