import { brandName } from '../../brand/brand.ts'
import { appName } from '../../contract/name.ts'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { findOverflow } from '../../../internal/testing/chromium/overflow.ts'
import { loadAxe, axeViolations } from '../../../internal/testing/chromium/axe.ts'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import type { Served } from '../../../internal/testing/processes/executable.ts'
import { ann } from '../../../internal/testing/people.ts'
import { publishMany } from '#testing/rows'
import { notifyAll } from '../../../internal/testing/database/rows.ts'
import {
  awaitScript,
  awaitIdle,
  keepToasts,
  awaitLive,
  logIn,
  openProfile,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { awaitStoredText, storedText } from '../../../internal/testing/chromium/open-settings.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { clientWords } from '#words/client/client'
import { challenge } from '#words/auth/challenge'
import { dashboard } from '#words/dashboard'
import { layout } from '#words/layout'
import { login } from '#words/auth/login'
import { passkeys } from '#words/settings/passkeys'
import { copying, twoFactor } from '#words/settings/two-factor'

const chromium = chromiumOfFile()
const withoutScript = { javaScriptEnabled: false }
const anyCode = /^[a-z0-9]{5}-[a-z0-9]{5}$/

test('two-factor setup submits a complete code by itself and shows eight recovery codes', async () => {
  const { page } = await openSecurity()
  const secret = await beginSetUp(page)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(await page.getByRole('link', { name: twoFactor.open }).getAttribute('href')).toContain(
    `otpauth://totp/${encodeURIComponent(brandName)}:ann%40x.test?issuer=${encodeURIComponent(brandName)}&secret=${secret}`,
  )
  await codeField(page).fill(wrongCode)
  await page.locator('#code-error').getByText(errorWords.wrongCode).waitFor()
  await awaitIdle(page)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('code')
  await codeField(page).fill(codeAt(secret, new Date()))
  await page.getByRole('status').getByText(flashWords.twoFactorOn).waitFor()
  const codes = await readCodes(page)
  expect(await readHints(page)).toEqual([twoFactor.shownNow])
  expect(codes).toHaveLength(8)
  expect(codes.filter((each) => !anyCode.test(each))).toEqual([])
})

test('recovery codes stay when a notification arrives or a form fails, and are gone once the page is left', async () => {
  const { page, app } = await openSecurity()
  await turnOnTwoFactor(page)
  const codes = await readCodes(page)
  await notifyAnn(app)
  await page.getByRole('link', { name: layout.unread(1) }).waitFor()
  expect(await readCodes(page)).toEqual(codes)
  await page.getByRole('button', { name: buttons.save, exact: true }).click()
  await page.locator('#current_password-error p').waitFor()
  expect(await readCodes(page)).toEqual(codes)
  await page.goto('/dashboard')
  await page.goBack()
  await page.getByText(twoFactor.left(8)).waitFor()
  expect(await page.locator('#recovery-codes').count()).toBe(0)
})

test('without JavaScript two-factor login is turned on and off and its codes renewed, with no useless button', async () => {
  const { page } = await openSecurity(withoutScript)
  const secret = await beginSetUp(page)
  await codeField(page).fill(wrongCode)
  await page.getByRole('button', { name: buttons.confirm }).click()
  await page.locator('#code-error').getByText(errorWords.wrongCode).waitFor()
  await codeField(page).fill(codeAt(secret, new Date()))
  await page.getByRole('button', { name: buttons.confirm }).click()
  await page.getByText(flashWords.twoFactorOn).waitFor()
  await page.waitForLoadState()
  const codes = await readCodes(page)
  expect(await readHints(page)).toEqual([twoFactor.shownOnce])
  await page.getByRole('button', { name: twoFactor.saved }).click()
  await page.getByText(flashWords.recoveryCodesSaved).waitFor()
  await page.waitForLoadState()
  const scriptButtons = [
    twoFactor.copy,
    twoFactor.download,
    twoFactor.print,
    buttons.showRecoveryCodes,
  ]
  for (const name of scriptButtons) expect(await page.getByRole('button', { name }).count()).toBe(0)
  await page.reload()
  expect(await page.locator('#recovery-codes').count()).toBe(0)
  expect(await page.getByRole('button', { name: buttons.showRecoveryCodes }).count()).toBe(0)
  await page.getByRole('button', { name: buttons.newRecoveryCodes }).click()
  await page.getByText(flashWords.recoveryCodesMade).waitFor()
  await page.waitForLoadState()
  expect(new Set([...codes, ...(await readCodes(page))]).size).toBe(16)
  await page.locator('summary', { hasText: buttons.turnOffTwoFactor }).click()
  await page.getByRole('button', { name: buttons.turnOffTwoFactor }).click()
  await page.getByText(flashWords.twoFactorOff).waitFor()
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).waitFor()
})

test('without JavaScript new recovery codes are in view, and all headings appear in document order', async () => {
  const { page } = await openSecurity(withoutScript)
  const secret = await beginSetUp(page)
  await codeField(page).fill(codeAt(secret, new Date()))
  await page.getByRole('button', { name: buttons.confirm }).click()
  await page.locator('#recovery-codes').waitFor()
  await page.waitForLoadState()
  const tops = await page.locator('main :is(h1, h2):visible').evaluateAll((headings) => {
    return headings.map((heading) => heading.getBoundingClientRect().top)
  })
  expect(tops.length).toBeGreaterThan(3)
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  const codesBox = await page.locator('#recovery-codes').boundingBox()
  expect(codesBox?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
})

test('a two-factor setup can be cancelled by keyboard, and the next setup has another secret', async () => {
  const { page } = await openSecurity()
  const secret = await beginSetUp(page)
  await page.getByRole('button', { name: twoFactor.giveUp }).press('Enter')
  await page.getByRole('status').getByText(flashWords.setUpGivenUp).waitFor()
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focusedText).toBe(twoFactor.heading)
  expect(await beginSetUp(page)).not.toBe(secret)
})

test('a code of a setup that another tab replaced is refused, and a code of the new setup is accepted', async () => {
  const { page } = await openSecurity()
  const oldSecret = await beginSetUp(page)
  const otherTab = await page.context().newPage()
  await otherTab.goto('/settings/security')
  await otherTab.getByRole('button', { name: twoFactor.giveUp }).click()
  const secret = await beginSetUp(otherTab)
  await page.bringToFront()
  await codeField(page).fill(codeAt(oldSecret, new Date()))
  await page.locator('#code-error').getByText(errorWords.setUpAnew).waitFor()
  await awaitIdle(page)
  await codeField(page).fill(codeAt(secret, new Date()))
  await page.getByRole('status').getByText(flashWords.twoFactorOn).waitFor()
})

test('without JavaScript a two-factor setup can be cancelled', async () => {
  const { page } = await openSecurity(withoutScript)
  await beginSetUp(page)
  await page.getByRole('button', { name: twoFactor.giveUp }).click()
  await page.getByText(flashWords.setUpGivenUp).waitFor()
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).waitFor()
})

test('six digits entered before the script that submits them loaded are submitted', async () => {
  const { page } = await openSecurity()
  const filled = Promise.withResolvers<void>()
  await page.route(/\/codes-/, async (route) => {
    await filled.promise
    await route.continue()
  })
  const secret = await beginSetUp(page)
  await codeField(page).fill(codeAt(secret, new Date()))
  filled.resolve()
  await page.locator('#toasts').getByText(flashWords.twoFactorOn).waitFor()
})

test('recovery codes can be shown again and renewed, and two-factor login turned off after a confirmation', async () => {
  const { page, app } = await openSecurity()
  await turnOnTwoFactor(page)
  const codes = await readCodes(page)
  await page.reload()
  await page.getByRole('button', { name: buttons.showRecoveryCodes }).click()
  expect(await readCodes(page)).toEqual(codes)
  await notifyAnn(app)
  await page.getByRole('link', { name: layout.unread(1) }).waitFor()
  expect(await readCodes(page)).toEqual(codes)
  await page.getByRole('button', { name: buttons.newRecoveryCodes }).click()
  await page.getByRole('status').getByText(flashWords.recoveryCodesMade).waitFor()
  expect(new Set([...codes, ...(await readCodes(page))]).size).toBe(16)
  await page.getByRole('button', { name: buttons.turnOffTwoFactor }).click()
  const dialog = page.getByRole('dialog', { name: twoFactor.sure })
  await dialog.getByRole('button', { name: twoFactor.keep }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: buttons.turnOffTwoFactor }).click()
  await page.getByRole('status').getByText(flashWords.twoFactorOff).waitFor()
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the focus moves to the nearest heading when its element disappears, and returns from a toast', async () => {
  const { page } = await openSecurity()
  await keepToasts(page)
  const focusedElement = () => page.locator(':focus')
  await page.reload()
  // The script that moves the focus is running.
  await awaitLive(page)
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).press('Enter')
  await expect.poll(() => focusedElement().textContent()).toBe(twoFactor.heading)
  await codeField(page).fill(
    codeAt((await page.locator('#secret').textContent()) ?? '', new Date()),
  )
  await readCodes(page)
  await expect.poll(() => focusedElement().textContent()).toBe(twoFactor.heading)
  await page.reload()
  await page.getByRole('button', { name: buttons.showRecoveryCodes }).press('Enter')
  await expect.poll(() => focusedElement().textContent()).toBe(twoFactor.codes)
  await page.getByRole('button', { name: buttons.newRecoveryCodes }).press('Enter')
  await page.getByRole('status').getByRole('button').press('Enter')
  expect(await focusedElement().textContent()).toBe(buttons.newRecoveryCodes)
})

test('the focus moves to a heading even if its button was focused before the script loaded', async () => {
  const { page } = await openSecurity()
  const focused = Promise.withResolvers<void>()
  await page.route(/\/live-/, async (route) => {
    await focused.promise
    await route.continue()
  })
  await page.reload()
  const button = page.getByRole('button', { name: buttons.turnOnTwoFactor })
  await button.focus()
  focused.resolve()
  await page.waitForResponse(/\/live-/)
  await button.press('Enter')
  await page.locator('h2:focus').getByText(twoFactor.heading).waitFor()
})

test('recovery codes that cannot be loaded are reported in a toast', async () => {
  const { page, context } = await openSecurity({ allowed: /ERR_INTERNET_DISCONNECTED/ })
  await turnOnTwoFactor(page)
  const scriptResponse = page.waitForResponse(/\/codes-/)
  await page.reload()
  await awaitScript(page, scriptResponse)
  await context.setOffline(true)
  await page.getByRole('button', { name: buttons.showRecoveryCodes }).click()
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
})

test('the secret and the recovery codes can be copied, and the codes saved as a file', async () => {
  const { page, context } = await openSecurity()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const secret = await beginSetUp(page)
  await page.getByRole('button', { name: twoFactor.copyKey }).click()
  await page.getByRole('status').getByText(copying.done).waitFor()
  expect(await readClipboard()).toBe(secret)
  await codeField(page).fill(codeAt(secret, new Date()))
  const codes = await readCodes(page)
  await page.getByRole('button', { name: twoFactor.copy, exact: true }).click()
  await expect.poll(readClipboard).toBe(codes.join('\n'))
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: twoFactor.download }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe(`${appName}-recovery-codes.txt`)
  expect(await readFile(await download.path(), 'utf8')).toBe(`${codes.join('\n')}\n`)
})

test('unsaved recovery codes are a step on the dashboard that is done once the user has saved them', async () => {
  const { page } = await openSecurity()
  await turnOnTwoFactor(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: dashboard.steps.saved.title }).click()
  await page.getByRole('button', { name: buttons.showRecoveryCodes }).click()
  await page.getByRole('button', { name: twoFactor.saved }).click()
  await page.getByRole('status').getByText(flashWords.recoveryCodesSaved).waitFor()
  expect(await page.getByRole('button', { name: twoFactor.saved }).count()).toBe(0)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: dashboard.stepsHeading }).waitFor()
  expect(await page.getByText(dashboard.steps.saved.title).count()).toBe(0)
})

test('marking old recovery codes as saved shows the ones created in another tab instead', async () => {
  const { page } = await openSecurity()
  await turnOnTwoFactor(page)
  const oldCodes = await readCodes(page)
  const otherTab = await page.context().newPage()
  await otherTab.goto('/settings/security')
  await otherTab.getByRole('button', { name: buttons.newRecoveryCodes }).click()
  await otherTab.locator('.toast').getByText(flashWords.recoveryCodesMade).waitFor()
  await page.bringToFront()
  const saveButton = page.getByRole('button', { name: twoFactor.saved })
  await saveButton.click()
  await page.locator('.toast').getByText(flashWords.recoveryCodesAreOld).waitFor()
  expect(await readCodes(page)).toEqual(await readCodes(otherTab))
  expect(await readCodes(page)).not.toEqual(oldCodes)
  await saveButton.click()
  await page.getByRole('status').getByText(flashWords.recoveryCodesSaved).waitFor()
})

test('a print of the recovery codes contains them, whose they are, and nothing else', async () => {
  const { page } = await openSecurity()
  await turnOnTwoFactor(page)
  const codes = await readCodes(page)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const printedText = await page.locator('body').innerText()
  expect(printedText.split(/\s*\n\s*/).filter(Boolean)).toEqual([
    `${brandName}: ${twoFactor.of(ann.email)}`,
    ...codes,
  ])
  const textColour = await page
    .locator('#recovery-codes')
    .evaluate((list) => getComputedStyle(list).color)
  expect(textColour).toBe('rgb(16, 32, 26)')
})

test('a login that waits for its code reports a wrong code and continues with the right one', async () => {
  const { page, app } = await openSecurity()
  const { secret } = await turnOnTwoFactor(page)
  const challengePage = await openChallenge(app)
  await expect.poll(() => challengePage.evaluate(() => document.activeElement?.id)).toBe('code')
  await codeField(challengePage).fill(wrongCode)
  await challengePage.locator('#code-error').getByText(errorWords.wrongCode).waitFor()
  await awaitIdle(challengePage)
  await codeField(challengePage).fill(nextCode(secret))
  await challengePage.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
})

test('a login continues with a recovery code, whose field has the focus even if its script loads late', async () => {
  const { page, app } = await openSecurity()
  const { codes } = await turnOnTwoFactor(page)
  const challengePage = await openChallenge(app)
  const opened = Promise.withResolvers<void>()
  await challengePage.route(/\/codes-/, async (route) => {
    await opened.promise
    await route.continue()
  })
  await challengePage.reload()
  await challengePage.getByText(challenge.recovery).click()
  await codeField(challengePage).waitFor({ state: 'hidden' })
  opened.resolve()
  await expect
    .poll(() => challengePage.evaluate(() => document.activeElement?.id))
    .toBe('recovery_code')
  await challengePage.getByLabel(labels.recoveryCode).fill('aaaaa-aaaaa')
  await challengePage.getByRole('button', { name: buttons.logIn }).click()
  await challengePage
    .locator('#recovery_code-error')
    .getByText(errorWords.wrongRecoveryCode)
    .waitFor()
  await awaitIdle(challengePage)
  await challengePage.getByLabel(labels.recoveryCode).fill(codes[0] ?? '')
  await challengePage.getByRole('button', { name: buttons.logIn }).click()
  await challengePage.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
})

test('without JavaScript a login continues with a code or with a recovery code', async () => {
  const { page, app } = await openSecurity()
  const { secret, codes } = await turnOnTwoFactor(page)
  const challengePage = await openChallenge(app, withoutScript)
  await codeField(challengePage).fill(wrongCode)
  await challengePage.getByRole('button', { name: buttons.logIn }).click()
  await challengePage.locator('#code-error').getByText(errorWords.wrongCode).waitFor()
  await codeField(challengePage).fill(nextCode(secret))
  await challengePage.getByRole('button', { name: buttons.logIn }).click()
  await challengePage.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  const secondChallenge = await openChallenge(app, withoutScript)
  await secondChallenge.getByText(challenge.recovery).click()
  await secondChallenge.getByLabel(labels.recoveryCode).fill('aaaaa-aaaaa')
  await secondChallenge.getByRole('button', { name: buttons.logIn }).click()
  await secondChallenge
    .locator('#recovery_code-error')
    .getByText(errorWords.wrongRecoveryCode)
    .waitFor()
  await expect
    .poll(() => secondChallenge.evaluate(() => document.activeElement?.id))
    .toBe('recovery_code')
  await secondChallenge.getByLabel(labels.recoveryCode).fill(codes[0]?.toUpperCase() ?? '')
  await secondChallenge.getByRole('button', { name: buttons.logIn }).click()
  await secondChallenge.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
})

test('typed codes and recovery codes are not stored', async () => {
  const { page, app } = await openSecurity()
  const secret = await beginSetUp(page)
  await codeField(page).fill('98765')
  await page.getByLabel(passkeys.name).fill('Work laptop')
  await awaitStoredText(page, 'Work laptop')
  expect(await storedText(page)).not.toContain('98765')
  await codeField(page).fill(codeAt(secret, new Date()))
  await readCodes(page)
  const challengePage = await openChallenge(app)
  await codeField(challengePage).fill('98765')
  await challengePage.getByText(challenge.recovery).click()
  await challengePage.getByLabel(labels.recoveryCode).fill('aaaaa-aaaaa')
  await challengePage.getByRole('link', { name: challenge.back }).click()
  // What was typed is stored before the next page is shown.
  await challengePage.getByText(login.lead).waitFor()
  expect(await storedText(challengePage)).not.toMatch(/98765|aaaaa/)
})

test('the QR code is black on white in the light and the dark appearance', async () => {
  const { page } = await openSecurity()
  await beginSetUp(page)
  const qrPaths = page.getByRole('img', { name: twoFactor.qr }).locator('path')
  const fills: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    fills.push(
      ...(await qrPaths.evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill))),
    )
  }
  const whiteAndBlack = ['rgb(255, 255, 255)', 'rgb(0, 0, 0)']
  expect(fills).toEqual([...whiteAndBlack, ...whiteAndBlack])
})

test('axe finds no fault on turning two-factor login on and off, which fits at 320, 360 and 1280 px', async () => {
  const { page } = await openSecurity({ reducedMotion: 'reduce' })
  await loadAxe(page)
  await page.reload()
  const findings = await findFaults(page)
  const secret = await beginSetUp(page)
  findings.push(...(await findFaults(page)))
  await codeField(page).fill(wrongCode)
  await page.locator('#code-error').getByText(errorWords.wrongCode).waitFor()
  findings.push(...(await findFaults(page)))
  await codeField(page).fill(codeAt(secret, new Date()))
  await readCodes(page)
  findings.push(...(await findFaults(page)))
  await page.getByRole('button', { name: buttons.turnOffTwoFactor }).click()
  await page.getByRole('dialog').waitFor()
  findings.push(...(await findFaults(page)))
  expect(findings).toEqual([])
})

test('axe finds no fault on the two-factor challenge, which fits at 320, 360 and 1280 px', async () => {
  const { page, app } = await openSecurity()
  await turnOnTwoFactor(page)
  const challengePage = await openChallenge(app, { reducedMotion: 'reduce' })
  await loadAxe(challengePage)
  await challengePage.reload()
  const findings = await findFaults(challengePage)
  await challengePage.getByText(challenge.recovery).click()
  findings.push(...(await findFaults(challengePage)))
  expect(findings).toEqual([])
})

// Right once in a million times, like any guess.
const wrongCode = '000 000'

/** Opens the security page as Ann, verified and logged in. */
async function openSecurity(options: Parameters<typeof serveWithProfile>[1] = {}) {
  const { page, context, app } = await serveWithProfile(chromium(), options)
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  return { page, context, app }
}

/** Starts the setup of an authenticator app, and returns the key. */
async function beginSetUp(page: Page): Promise<string> {
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  return (await page.locator('#secret').textContent()) ?? ''
}

async function turnOnTwoFactor(page: Page): Promise<{ secret: string; codes: readonly string[] }> {
  const secret = await beginSetUp(page)
  await codeField(page).fill(codeAt(secret, new Date()))
  return { secret, codes: await readCodes(page) }
}

/** Returns the app's next code, which is valid already: the current one was used. */
function nextCode(secret: string): string {
  return codeAt(secret, new Date(Date.now() + 30_000))
}

function codeField(page: Page) {
  return page.getByLabel(labels.code, { exact: true })
}

async function readCodes(page: Page): Promise<readonly string[]> {
  await page.locator('#recovery-codes').waitFor()
  return page.locator('#recovery-codes li').allTextContents()
}

/** Returns the hints that say how long the codes are shown. */
function readHints(page: Page): Promise<readonly string[]> {
  return page.locator('.codes > .hint:visible').allTextContents()
}

/** Opens another browser of Ann's, which is asked for a code after the password. */
async function openChallenge(
  app: Served,
  options: Parameters<typeof openProfile>[2] = {},
): Promise<Page> {
  const { page } = await openProfile(chromium(), app, options)
  await page.goto('/login')
  await logIn(page, ann)
  await page.getByRole('heading', { name: challenge.heading }).waitFor()
  return page
}

/** Gives Ann a notification, and sends its event to her open pages. */
async function notifyAnn(app: Served): Promise<void> {
  const db = await openDatabase(app.database)
  const at = new Date()
  await notifyAll(db, at)
  await publishMany(db, { channel: 'users.1', times: 1, at })
  await db.close()
}

/** Returns the findings of axe, and the widths at which the page is too wide. */
async function findFaults(page: Page): Promise<string[]> {
  return [...(await findOverflow(page, page.url())), ...(await axeViolations(page))]
}
