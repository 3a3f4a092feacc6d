import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../internal/testing/chromium/chromium.ts'
import type { Served } from '../internal/testing/processes/executable.ts'
import { ann } from '../internal/testing/people.ts'
import { registerVerified, serveWithProfile } from '../internal/testing/chromium/tab.ts'
import { publishEvent } from '../internal/testing/processes/publish-event.ts'
import { codeAt } from '../internal/testing/totp.ts'
import { languages } from './contract/languages.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { settings } from '#words/settings'
import { tokens } from '#words/tokens'

const chromium = chromiumOfFile()

test('a new token stays on a page of an older build until the user follows a link', async () => {
  const { page, ...there } = await connected('/settings/tokens')
  const token = await makeToken(page)
  await chooseGerman(there.context)
  await toldOfAnotherBuild(page, there.app)
  expect(await page.locator('#new-token').textContent()).toBe(token)
  await page.getByRole('link', { name: settings.profile }).first().click()
  await german(page)
})

test('new recovery codes stay on a page of an older build', async () => {
  const { page, ...there } = await connected('/settings/security')
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  const secret = await page.locator('#secret').getAttribute('data-text')
  await page.getByLabel(labels.code).fill(codeAt(secret ?? '', new Date()))
  const codes = await page.locator('#recovery-codes').textContent()
  await chooseGerman(there.context)
  await toldOfAnotherBuild(page, there.app)
  expect(await page.locator('#recovery-codes').textContent()).toBe(codes)
})

test('a page of an older build with an open dialog is not reloaded before the dialog is closed', async () => {
  const { page, ...there } = await connected('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  await page.getByRole('dialog').waitFor()
  await chooseGerman(there.context)
  await toldOfAnotherBuild(page, there.app)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await publishEvent(there.app, 'notification')
  await german(page)
})

test('a page of an older build with a typed password is not reloaded before the field is empty', async () => {
  const { page, ...there } = await connected('/settings/security')
  const field = page.getByLabel(labels.currentPassword)
  await field.fill('half a passw')
  await chooseGerman(there.context)
  await toldOfAnotherBuild(page, there.app)
  await page.getByRole('button', { name: labels.showPassword }).first().click()
  await toldOfAnotherBuild(page, there.app)
  expect(await field.inputValue()).toBe('half a passw')
  await field.fill('')
  await publishEvent(there.app, 'notification')
  await german(page)
})

test('a page of an older build with typed text is reloaded at once, and the text is restored', async () => {
  const { page, ...there } = await connected('/settings/profile')
  await page.getByLabel(labels.name, { exact: true }).fill('Ann of the Hill')
  await chooseGerman(there.context)
  await publishEvent(there.app, 'notification')
  await german(page)
  await expect.poll(() => page.locator('#name').inputValue()).toBe('Ann of the Hill')
})

test('a failed form of an older build preserves typed text even if the script that stores it is gone', async () => {
  const { page, context } = await connected('/settings/profile', /assets\/typed-/)
  await page.route(/assets\/typed-/, (route) => route.fulfill({ status: 404 }))
  await chooseGerman(context)
  await page.getByLabel(labels.name, { exact: true }).fill('Ann of the Hill')
  await page.getByLabel(labels.email).fill('nonsense')
  await page.getByLabel(labels.email).press('Enter')
  await german(page)
  expect(await page.locator('#name').inputValue()).toBe('Ann of the Hill')
  expect(await page.locator('#email').inputValue()).toBe('nonsense')
  await page.locator('#email-error').waitFor()
})

test('logging out in another tab replaces a page of an older build and its new token with the login page', async () => {
  const { page, ...there } = await connected('/settings/tokens')
  const token = await makeToken(page)
  const other = await chooseGerman(there.context)
  await toldOfAnotherBuild(page, there.app)
  await other.locator('summary').first().click()
  await other.locator('form[action$="/logout"] button').click()
  await page.waitForURL('/login')
  await german(page)
  expect(await page.content()).not.toContain(token ?? '')
})

/** Opens a page of Ann's, and its event stream. */
async function connected(path: string, allowed?: RegExp) {
  const there = await serveWithProfile(chromium(), { allowed })
  await registerVerified(there.app, there.page, ann)
  const opened = there.page.waitForResponse(/\/broadcasts/)
  await there.page.goto(path)
  await opened
  return there
}

async function makeToken(page: Page): Promise<string | null> {
  await page.getByLabel(labels.name).fill('Deploy')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: tokens.create }).click()
  return page.locator('#new-token').textContent()
}

/** Chooses German in another tab. Each language is a separate build. */
async function chooseGerman(context: BrowserContext): Promise<Page> {
  const other = await context.newPage()
  await other.goto('/dashboard')
  await other.getByRole('button', { name: languages.de.name }).click()
  await german(other)
  return other
}

/** Makes the page reload and be refused, twice: the second time shows that it has handled the first. */
async function toldOfAnotherBuild(page: Page, app: Served): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    const refused = page.waitForResponse((answer) => answer.status() === 409)
    await publishEvent(app, 'notification')
    await refused
  }
}

async function german(page: Page): Promise<void> {
  await page.locator('html[lang=de][data-started]').waitFor({ state: 'attached' })
}
