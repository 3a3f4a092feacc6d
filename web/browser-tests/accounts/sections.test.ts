import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import {
  knownKey,
  lapseConfirmation,
} from '../../../internal/testing/chromium/lapse-confirmation.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  awaitIdle,
  logIn,
  openProfile,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { languages } from '../../contract/languages.ts'
import { buttons } from '#words/buttons'
import { challenge } from '#words/auth/challenge'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { passkeys } from '#words/settings/passkeys'

const chromium = chromiumOfFile()
const sectionPath = '/settings/security#passkeys'

test('a link to a section leads there through a failed and a successful login and focuses its heading', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto(sectionPath)
  await logIn(otherBrowser.page, { ...ann, password: 'wrong password' })
  await otherBrowser.page.locator('#email-error p').waitFor()
  await awaitIdle(otherBrowser.page)
  await logIn(otherBrowser.page, ann)
  await expect
    .poll(() => locationOf(otherBrowser.page))
    .toEqual([sectionPath, passkeys.heading, true])
})

test('a link to a section leads there through a login to an account of another language', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: languages.de.name }).click()
  await page.locator('html[lang=de]').waitFor({ state: 'attached' })
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto(sectionPath)
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.locator('html[lang=de][data-started]').waitFor({ state: 'attached' })
  await expect.poll(async () => (await locationOf(otherBrowser.page))[0]).toBe(sectionPath)
  await expect.poll(() => isInView(otherBrowser.page)).toBe(true)
})

test('a link to a section leads there through the two-factor challenge', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  const secret = await turnOnTwoFactor(page)
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto(sectionPath)
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.getByRole('heading', { name: challenge.heading }).waitFor()
  await otherBrowser.page.getByLabel(labels.code, { exact: true }).fill(nextCode(secret))
  await expect
    .poll(() => locationOf(otherBrowser.page))
    .toEqual([sectionPath, passkeys.heading, true])
})

test('without JavaScript a link to a section leads there through the login and the two-factor challenge', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  const secret = await turnOnTwoFactor(page)
  const otherBrowser = await openProfile(chromium(), app, { javaScriptEnabled: false })
  await otherBrowser.page.goto(sectionPath)
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.getByLabel(labels.code, { exact: true }).fill(nextCode(secret))
  await otherBrowser.page.getByRole('button', { name: buttons.logIn }).click()
  await otherBrowser.page.waitForURL(sectionPath)
  await expect.poll(() => isInView(otherBrowser.page)).toBe(true)
})

test('a link to a section leads there through the confirm page, even after a wrong password', async () => {
  const settings = { APP_KEY: `base64:${knownKey.toString('base64')}` }
  const { page, app, context } = await serveWithProfile(chromium(), { settings })
  await registerVerified(app, page, ann)
  await lapseConfirmation(context)
  await page.goto(sectionPath)
  await page.waitForURL('/confirm-password#passkeys')
  await page.getByLabel(labels.password, { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: buttons.confirm }).click()
  await page.locator('#password-error p').waitFor()
  await awaitIdle(page)
  await page.getByLabel(labels.password, { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: buttons.confirm }).click()
  await expect.poll(() => locationOf(page)).toEqual([sectionPath, passkeys.heading, true])
})

/** Returns the path with its fragment, the focused text, and whether the section is in view. */
async function locationOf(page: Page): Promise<readonly [string, string | null, boolean]> {
  const { pathname, hash } = new URL(page.url())
  const focused = await page.evaluate(() => document.activeElement?.textContent ?? null)
  return [pathname + hash, focused, await isInView(page)]
}

function isInView(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const top = document.getElementById('passkeys')?.getBoundingClientRect().top
    return top !== undefined && top >= 0 && top < innerHeight / 2
  })
}

async function turnOnTwoFactor(page: Page): Promise<string> {
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  const secret = (await page.locator('#secret').textContent()) ?? ''
  await page.getByLabel(labels.code, { exact: true }).fill(codeAt(secret, new Date()))
  await page.getByRole('status').getByText(flashWords.twoFactorOn).waitFor()
  return secret
}

/** Returns the app's next code, which is valid already: the current one was used. */
function nextCode(secret: string): string {
  return codeAt(secret, new Date(Date.now() + 30_000))
}
