import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import type { Served } from '../../../internal/testing/processes/executable.ts'
import { ann } from '../../../internal/testing/people.ts'
import { awaitStoredText } from '../../../internal/testing/chromium/open-settings.ts'
import {
  logIn,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { VirtualPasskeys } from '../../../internal/testing/chromium/virtual-passkeys.ts'
import { publishEvent } from '../../../internal/testing/processes/publish-event.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { languages } from '../../contract/languages.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'

const chromium = chromiumOfFile()

test('a new token stays on a page of an older build until the user follows a link', async () => {
  const { page, ...profile } = await openWithStream('/settings/tokens')
  const token = await createToken(page)
  await chooseGerman(profile.context)
  await haveReloadsRefused(page, profile.app)
  expect(await page.locator('#new-token').textContent()).toBe(token)
  await page.getByRole('link', { name: settings.profile }).first().click()
  await awaitGerman(page)
})

test('new recovery codes stay on a page of an older build', async () => {
  const { page, ...profile } = await openWithStream('/settings/security')
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  const secret = await page.locator('#secret').getAttribute('data-text')
  await page.getByLabel(labels.code).fill(codeAt(secret ?? '', new Date()))
  const codes = await page.locator('#recovery-codes').textContent()
  await chooseGerman(profile.context)
  await haveReloadsRefused(page, profile.app)
  expect(await page.locator('#recovery-codes').textContent()).toBe(codes)
})

test('a page of an older build with an open dialog is not reloaded before the dialog is closed', async () => {
  const { page, ...profile } = await openWithStream('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  await page.getByRole('dialog').waitFor()
  await chooseGerman(profile.context)
  await haveReloadsRefused(page, profile.app)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await publishEvent(profile.app, 'notification')
  await awaitGerman(page)
})

test('a page of an older build with a typed password is not reloaded before the field is empty', async () => {
  const { page, ...profile } = await openWithStream('/settings/security')
  const field = page.getByLabel(labels.currentPassword)
  await field.fill('half a passw')
  await chooseGerman(profile.context)
  await haveReloadsRefused(page, profile.app)
  await page.getByRole('button', { name: labels.showPassword }).first().click()
  await haveReloadsRefused(page, profile.app)
  expect(await field.inputValue()).toBe('half a passw')
  await field.fill('')
  await publishEvent(profile.app, 'notification')
  await awaitGerman(page)
})

test('a page of an older build is not reloaded while the browser asks for a new passkey, which is then added', async () => {
  const { page, ...profile } = await openWithStream('/settings/security')
  await VirtualPasskeys.of(page)
  await delayTouch(page)
  await page.getByLabel(labels.name).fill('Key on my desk')
  await page.getByRole('button', { name: buttons.addPasskey }).click()
  await page.locator('[data-making=""]').waitFor({ state: 'attached' })
  await chooseGerman(profile.context)
  await haveReloadsRefused(page, profile.app)
  await page.evaluate(() => dispatchEvent(new Event('touch')))
  await awaitGerman(page)
  await page.locator('#app').getByText('Key on my desk', { exact: true }).first().waitFor()
})

test('a page of an older build with typed text is reloaded where it is at once, and the text is restored', async () => {
  const { page, ...profile } = await openWithStream('/settings/profile#danger')
  await page.getByLabel(labels.name, { exact: true }).fill('Ann of the Hill')
  await page.evaluate(() => scrollTo(0, 100))
  await expect.poll(() => page.evaluate(() => history.state.scroll?.[1])).toBe(100)
  const place = await placeOf(page)
  await chooseGerman(profile.context)
  await publishEvent(profile.app, 'notification')
  await awaitGerman(page)
  await expect.poll(() => page.locator('#name').inputValue()).toBe('Ann of the Hill')
  await expect.poll(() => placeOf(page)).toEqual(place)
})

test('a failed form of an older build preserves typed text even if the script that stores it is gone', async () => {
  const { page, context } = await openWithStream('/settings/profile', /assets\/typed-/)
  await page.route(/assets\/typed-/, (route) => route.fulfill({ status: 404 }))
  await chooseGerman(context)
  await page.getByLabel(labels.name, { exact: true }).fill('Ann of the Hill')
  await page.getByLabel(labels.email).fill('nonsense')
  await page.getByLabel(labels.email).press('Enter')
  await awaitGerman(page)
  expect(await page.locator('#name').inputValue()).toBe('Ann of the Hill')
  expect(await page.locator('#email').inputValue()).toBe('nonsense')
  await page.locator('#email-error').waitFor()
})

test('a failed login on a page of an older build says only what is wrong with it', async () => {
  const { page, context } = await serveWithProfile(chromium())
  await page.goto('/login')
  await chooseGerman(context)
  await logIn(page, ann)
  await awaitGerman(page)
  await page.locator('#email-error').waitFor()
  expect(await page.locator('#email').inputValue()).toBe(ann.email)
  // Stored after the text of the older page was restored.
  await page.locator('#email').fill('anna@x.test')
  await awaitStoredText(page, 'anna@x.test')
  expect(await page.locator('.toast').allTextContents()).toEqual([])
})

test('a form of an older build that is answered with an error page leads to the newer build by the next link', async () => {
  const { page, context } = await openWithStream('/settings/profile', /status of 404/)
  await chooseGerman(context)
  const form = page.locator('form', { has: page.locator('#name') })
  await form.evaluate((element: HTMLFormElement) => element.setAttribute('action', '/no-such-page'))
  await page.locator('#name').press('Enter')
  await page.locator('.error-page').waitFor()
  await page.locator('#app a[href="/dashboard"]').first().click()
  await page.waitForURL('/dashboard')
  await awaitGerman(page)
})

test('logging out in another tab replaces a page of an older build and its new token with the login page', async () => {
  const { page, ...profile } = await openWithStream('/settings/tokens')
  const token = await createToken(page)
  const otherTab = await chooseGerman(profile.context)
  await haveReloadsRefused(page, profile.app)
  await otherTab.locator('summary').first().click()
  await otherTab.locator('form[action$="/logout"] button').click()
  await page.waitForURL('/login')
  await awaitGerman(page)
  expect(await page.content()).not.toContain(token ?? '')
})

test('going back to a page of an older build shows what a new request answers', async () => {
  const { page, ...profile } = await openWithStream('/settings/appearance')
  await page.getByRole('link', { name: settings.profile }).first().click()
  await page.waitForURL('/settings/profile')
  await chooseGerman(profile.context)
  await page.reload()
  await awaitGerman(page)
  await page.goBack()
  await page.waitForURL('/settings/appearance')
  await expect
    .poll(() => page.getByRole('radio', { name: languages.de.name }).isChecked())
    .toBe(true)
})

/** Opens a page of Ann's, and its event stream. */
async function openWithStream(path: string, allowed?: RegExp) {
  const profile = await serveWithProfile(chromium(), { allowed })
  await registerVerified(profile.app, profile.page, ann)
  const streamOpens = profile.page.waitForResponse(/\/broadcasts/)
  await profile.page.goto(path)
  await streamOpens
  return profile
}

/** Returns where on the page the person is, and after how many history entries. */
function placeOf(page: Page): Promise<readonly [string, number, number]> {
  return page.evaluate(() => [location.hash, scrollY, history.length])
}

async function createToken(page: Page): Promise<string | null> {
  await page.getByLabel(labels.name).fill('Deploy')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: tokens.create }).click()
  return page.locator('#new-token').textContent()
}

/** Makes the browser ask for a new passkey until the page has an event `touch`. */
async function delayTouch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { credentials } = navigator
    const create = credentials.create.bind(credentials)
    const touched = new Promise((resolve) => addEventListener('touch', resolve))
    credentials.create = async (options) => {
      await touched
      return create(options)
    }
  })
}

/** Chooses German in another tab. Each language is a separate build. */
async function chooseGerman(context: BrowserContext): Promise<Page> {
  const otherTab = await context.newPage()
  await otherTab.goto('/dashboard')
  await otherTab.getByRole('button', { name: languages.de.name }).click()
  await awaitGerman(otherTab)
  return otherTab
}

/** Makes the page reload and be refused, twice: the second time shows that it has handled the first. */
async function haveReloadsRefused(page: Page, app: Served): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refusal = page.waitForResponse((answer) => answer.status() === 409)
    await publishEvent(app, 'notification')
    await refusal
  }
}

async function awaitGerman(page: Page): Promise<void> {
  await page.locator('html[lang=de][data-started]').waitFor({ state: 'attached' })
}
