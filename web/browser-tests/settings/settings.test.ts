import { brandName } from '../../brand/brand.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { findOverflow } from '../../../internal/testing/chromium/overflow.ts'
import { loadAxe, axeViolations } from '../../../internal/testing/chromium/axe.ts'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import type { Served } from '../../../internal/testing/processes/executable.ts'
import { ann } from '../../../internal/testing/people.ts'
import { addPasskeysAndTokens, notifyAll } from '../../../internal/testing/database/rows.ts'
import {
  awaitIdle,
  awaitLive,
  logIn,
  openProfile,
  readNoise,
  register,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { titles } from '#words/titles/settings'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { appearance } from '#words/settings/appearance'
import { home } from '#words/home'
import { layout } from '#words/layout'
import { notifications } from '#words/notifications'
import { paging } from '#words/paging'
import { passkeys } from '#words/settings/passkeys'
import { profile as profileWords } from '#words/settings/profile'
import { confirmPassword } from '#words/auth/recover'
import { security } from '#words/settings/security'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'

const chromium = chromiumOfFile()
const withoutScript = { javaScriptEnabled: false }
const pages = ['profile', 'security', 'tokens', 'appearance'].map((name) => `/settings/${name}`)
/** One pixel. */
const photo = {
  name: 'ann.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
}

test('the account menu leads to the settings, whose navigation marks the current page', async () => {
  const { page } = await openPage('/dashboard')
  await page.locator('summary').click()
  await page.getByRole('link', { name: layout.settings }).click()
  await page.getByRole('heading', { name: profileWords.heading, exact: true }).waitFor()
  const currentLink = page
    .getByRole('navigation', { name: settings.pages })
    .locator('[aria-current]')
  expect(await currentLink.allTextContents()).toEqual([settings.profile])
  await page.getByRole('link', { name: settings.security }).click()
  await page.getByRole('heading', { name: security.heading, exact: true }).waitFor()
  expect(await currentLink.allTextContents()).toEqual([settings.security])
  expect([await page.title(), new URL(page.url()).pathname]).toEqual([
    `${titles['Settings/Security']} · ${brandName}`,
    '/settings/security',
  ])
})

test('a saved name appears in the header', async () => {
  const { page } = await openPage('/settings/profile')
  await page.getByLabel(labels.name).fill('Ann Other')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('status').getByText(flashWords.profileSaved).waitFor()
  await page.locator('summary').getByText('Ann Other').waitFor()
  expect(await page.getByLabel(labels.name).inputValue()).toBe('Ann Other')
})

test('without JavaScript a name is saved, and a form with a wrong email preserves what was typed', async () => {
  const { page } = await openPage('/settings/profile', withoutScript)
  await page.getByLabel(labels.name).fill('Ann Other')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByText(flashWords.profileSaved).waitFor()
  await page.getByLabel(labels.name).fill('Ann Third')
  await page.getByLabel(labels.email).fill('no email')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByText(errorWords.email).waitFor()
  expect(await page.getByLabel(labels.name).inputValue()).toBe('Ann Third')
  expect(await page.getByLabel(labels.email).inputValue()).toBe('no email')
})

test('an invalid field scrolls into view with its label or its error', async () => {
  const { page } = await openPage('/settings/profile', { viewport: { width: 360, height: 700 } })
  const email = page.getByLabel(labels.email)
  await email.fill('no email')
  await email.evaluate((field) =>
    scrollBy(0, field.getBoundingClientRect().bottom + 8 - innerHeight),
  )
  await email.press('Enter')
  const error = page.getByText(errorWords.email)
  await error.waitFor()
  await expect.poll(() => error.evaluate(isInSight)).toBe(true)
  await email.evaluate((field) => scrollBy(0, field.getBoundingClientRect().top - 2))
  await email.press('Enter')
  await expect
    .poll(() => page.getByText(labels.email, { exact: true }).evaluate(isInSight))
    .toBe(true)
})

test('without JavaScript the first invalid field of a failed form has the focus, and its error is in sight', async () => {
  const { page } = await openPage('/settings/security', withoutScript)
  await changePassword(page, 'not hers')
  const wrongPassword = page.getByText(errorWords.wrongPassword)
  await expect.poll(() => wrongPassword.evaluate(isInSight)).toBe(true)
  expect(await page.locator(':focus').getAttribute('name')).toBe('current_password')
  await page.goto('/settings/tokens')
  await page.getByLabel(labels.name).fill('CI')
  await page.getByRole('button', { name: tokens.create }).click()
  const abilityMissing = page.getByText(errorWords.abilityMissing)
  await expect.poll(() => abilityMissing.evaluate(isInSight)).toBe(true)
  expect(await page.locator(':focus').getAttribute('name')).toBe('abilities')
})

test('the profile says that the email is not verified, and sends another link', async () => {
  const { page } = await serveWithProfile(chromium())
  await register(page, ann)
  await page.goto('/settings/profile')
  await page.getByText(profileWords.notVerified(ann.email)).waitFor()
  await page.getByRole('button', { name: buttons.resend }).click()
  await page.getByRole('status').getByText(flashWords.linkSent).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings/profile')
})

test('the photo field is not marked as invalid while no photo is chosen', async () => {
  const { page } = await openPage('/settings/profile')
  // The script that reads a photo has started by then.
  await awaitLive(page)
  expect(await page.locator('#photo').getAttribute('aria-invalid')).toBe('false')
})

test('a photo is displayed before it is uploaded, can be removed, and gives way to the initials', async () => {
  const { page } = await openPage('/settings/profile')
  const preview = page.locator('#photo-crop')
  expect([await photoUrl(page), await preview.isVisible()]).toEqual([null, false])
  await page.getByLabel(profileWords.choose).setInputFiles(photo)
  await preview.waitFor({ state: 'visible' })
  await page.getByRole('button', { name: buttons.uploadPhoto }).click()
  await page.getByRole('status').getByText(flashWords.photoSaved).waitFor()
  await preview.waitFor({ state: 'hidden' })
  expect(await photoUrl(page)).toMatch(/^\/files\//)
  const image = page.locator('.photo img')
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1)
  await page.getByRole('button', { name: buttons.removePhoto }).click()
  await page.getByRole('status').getByText(flashWords.photoRemoved).waitFor()
  expect(await photoUrl(page)).toBe(null)
  expect(await page.locator('.photo .avatar').first().textContent()).toBe('A')
})

test('an upload shows its progress and may take longer than half a minute', async () => {
  const { page } = await openPage('/settings/profile')
  await page.clock.install()
  await chooseLargePhoto(page)
  const devTools = await page.context().newCDPSession(page)
  const limitUpload = (uploadThroughput: number) =>
    devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  // Slow enough that the upload outlasts the checks; the limit is lifted after them.
  await limitUpload(50_000)
  await page.getByRole('button', { name: buttons.uploadPhoto }).click()
  await page.locator('#progress.measured.on').waitFor({ state: 'attached' })
  const progressBar = page.locator('#progress')
  const sentShare = () =>
    progressBar.evaluate(({ style }) => Number(style.getPropertyValue('--sent')))
  for (const _ of [1, 2]) {
    await page.clock.fastForward(20_000)
    // Progress after the jump restarts the timeout, which the next jump would otherwise exceed.
    const before = await sentShare()
    await expect.poll(sentShare).toBeGreaterThan(before)
  }
  await limitUpload(-1)
  await page.getByRole('status').getByText(flashWords.photoSaved).waitFor()
})

test('an upload without progress is given up after half a minute, and the next form is then sent', async () => {
  const { page } = await openPage('/settings/profile')
  await page.clock.install()
  await chooseLargePhoto(page)
  await page.route('**/settings/profile/photo', () => {})
  const uploadRequest = page.waitForRequest('**/settings/profile/photo')
  const button = page.getByRole('button', { name: buttons.uploadPhoto })
  await button.click()
  await uploadRequest
  await page.getByLabel(labels.name).fill('Ann Other')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.clock.fastForward(30_000)
  await page.getByRole('status').getByText(flashWords.profileSaved).waitFor()
  expect(await button.getAttribute('aria-busy')).toBe(null)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a file that is not a photo is refused at its field, before the upload and by the server', async () => {
  const { page, app } = await openPage('/settings/profile')
  const text = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') }
  await page.getByLabel(profileWords.choose).setInputFiles(text)
  await page.locator('#photo-error').getByText(errorWords.photoType).waitFor()
  const otherBrowser = await openProfile(chromium(), app, withoutScript)
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.waitForURL('**/dashboard')
  await otherBrowser.page.goto('/settings/profile')
  await otherBrowser.page.getByLabel(profileWords.choose).setInputFiles(text)
  await otherBrowser.page.getByRole('button', { name: buttons.uploadPhoto }).click()
  await otherBrowser.page.locator('#photo-error').getByText(errorWords.photoType).waitFor()
})

test('without JavaScript a photo is uploaded and removed', async () => {
  const { page } = await openPage('/settings/profile', withoutScript)
  await page.getByLabel(profileWords.choose).setInputFiles(photo)
  await page.getByRole('button', { name: buttons.uploadPhoto }).click()
  await page.getByText(flashWords.photoSaved).waitFor()
  await page.waitForLoadState()
  expect(await photoUrl(page)).toMatch(/^\/files\//)
  await page.getByRole('button', { name: buttons.removePhoto }).click()
  await page.getByText(flashWords.photoRemoved).waitFor()
  await page.waitForLoadState()
  expect(await photoUrl(page)).toBe(null)
})

test('changing the password needs the current one and logs out every other browser', async () => {
  const { page, app } = await openPage('/settings/security')
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.waitForURL('**/dashboard')
  await changePassword(page, 'not hers')
  await page.locator('#current_password-error').getByText(errorWords.wrongPassword).waitFor()
  await awaitIdle(page)
  await changePassword(page, ann.password)
  await page.getByRole('status').getByText(flashWords.passwordChanged).waitFor()
  expect(await page.getByLabel(labels.newPassword).inputValue()).toBe('')
  await otherBrowser.page.goto('/dashboard')
  expect(new URL(otherBrowser.page.url()).pathname).toBe('/login')
})

test('without JavaScript a password is changed', async () => {
  const { page } = await openPage('/settings/security', withoutScript)
  await changePassword(page, ann.password)
  await page.getByText(flashWords.passwordChanged).waitFor()
})

test('the list of logins begins with this browser, and another browser can be logged out from it', async () => {
  const { page, app } = await openPage('/settings/security')
  const otherBrowser = await openProfile(chromium(), app, { userAgent: firefox })
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.waitForURL('**/dashboard')
  await page.reload()
  const rows = page.locator('#logins li')
  expect(await rows.first().textContent()).toContain(security.thisBrowser)
  expect(await rows.locator('strong').nth(1).textContent()).toBe('Firefox on Windows')
  const logOutButton = page.getByRole('button', { name: `${buttons.logOut} of Firefox on Windows` })
  // Which of several identical buttons.
  const description = await logOutButton.getAttribute('aria-describedby')
  expect(await rows.nth(1).locator(`#${description}`).textContent()).toContain('127.0.0.1')
  await logOutButton.click()
  await page.getByRole('status').getByText(flashWords.browserLoggedOut).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  // The previous row, since it was the last.
  const browserName = await rows.locator('strong').textContent()
  await expect.poll(() => page.locator(':focus').textContent()).toBe(browserName)
  await otherBrowser.page.goto('/dashboard')
  expect(new URL(otherBrowser.page.url()).pathname).toBe('/login')
})

test('without JavaScript every other browser can be logged out at once', async () => {
  const { page, app } = await openPage('/settings/security', withoutScript)
  const otherBrowser = await openProfile(chromium(), app, { userAgent: firefox })
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.waitForURL('**/dashboard')
  await page.reload()
  await page.getByRole('button', { name: buttons.logOutOthers }).click()
  await page.getByText(flashWords.othersLoggedOut).waitFor()
  await page.waitForLoadState()
  expect(await page.getByRole('button', { name: buttons.logOutOthers }).count()).toBe(0)
})

test('without JavaScript a passkey can be renamed and, after a confirmation, removed, but not added', async () => {
  const { page } = await openWithPasskeys(1, withoutScript)
  await page.getByText(passkeys.unable).waitFor()
  expect(await page.getByRole('button', { name: buttons.addPasskey }).count()).toBe(0)
  const row = page.locator('#passkeys li')
  const name = row.getByRole('textbox', { name: labels.name })
  await row.locator('summary', { hasText: passkeys.rename }).click()
  await name.fill('  ')
  await row.getByRole('button', { name: buttons.save }).click()
  await row.getByText(errorWords.required).waitFor()
  await name.fill('Work laptop')
  await row.getByRole('button', { name: buttons.save }).click()
  await page.getByText(flashWords.passkeyRenamed).waitFor()
  expect(await row.locator('strong').textContent()).toBe('Work laptop')
  await row.locator('summary', { hasText: buttons.remove }).click()
  await row.getByRole('button', { name: buttons.remove }).click()
  await page.getByText(flashWords.passkeyRemoved).waitFor()
  await page.waitForLoadState()
  expect(await row.count()).toBe(0)
})

test('the message to a browser without passkeys has a gap to the sentence before it', async () => {
  const { page } = await openPage('/settings/security')
  await page.addInitScript(() => {
    delete (globalThis as { PublicKeyCredential?: unknown }).PublicKeyCredential
  })
  await page.reload()
  const message = page.getByText(passkeys.unable)
  await message.waitFor()
  const gap = await message.evaluate((sentence) => {
    const hintBox = sentence.parentElement?.querySelector('.hint')?.getBoundingClientRect()
    return sentence.getBoundingClientRect().top - (hintBox?.bottom ?? 0)
  })
  expect(gap).toBeGreaterThanOrEqual(12)
})

test('without JavaScript the actions of a passkey are aligned with its name, not with its icon', async () => {
  const { page } = await openWithPasskeys(1, withoutScript)
  const lefts = await page
    .locator('.row:has(.row-ways)')
    .evaluate((row) =>
      ['.row-text strong', '.row-ways summary'].map(
        (selector) => row.querySelector(selector)?.getBoundingClientRect().left,
      ),
    )
  expect(lefts[1]).toBe(lefts[0])
})

test('typing in the dialog that renames a passkey replaces its name', async () => {
  const { page } = await openWithPasskeys(1)
  await page.getByRole('button', { name: passkeys.rename }).click()
  const name = page.getByRole('dialog').getByLabel(labels.name)
  await name.waitFor()
  await page.keyboard.type('Old laptop')
  expect(await name.inputValue()).toBe('Old laptop')
})

test.each(['select', 'textarea'])('a dialog with a %s opens with the focus in it', async (tag) => {
  const { page } = await openWithPasskeys(1)
  await page
    .locator('dialog[id^=remove-] .ways')
    .first()
    .evaluate((element, tag) => element.before(document.createElement(tag)), tag)
  await page.locator('[data-opens^=remove-]').first().click()
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe(tag)
})

test('the dialog that renames a passkey says why a name is refused, and the passkey keeps its own', async () => {
  const { page } = await openWithPasskeys(1)
  await page.getByRole('button', { name: `${passkeys.rename} Firefox on Linux` }).click()
  const dialog = page.getByRole('dialog', { name: passkeys.renameHeading })
  const field = dialog.getByLabel(labels.name)
  await field.fill('Work\u200blaptop')
  await dialog.getByRole('button', { name: buttons.save }).click()
  await dialog.getByText(errorWords.control).waitFor()
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
  await field.fill('  ')
  await dialog.getByRole('button', { name: buttons.save }).click()
  await dialog.getByText(errorWords.required).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(errorWords.required).waitFor({ state: 'detached' })
  await page.reload()
  expect(await page.locator('#passkeys li strong').textContent()).toBe('Firefox on Linux')
})

test('without JavaScript removing a passkey or password needs a confirmation, and the last passkey stays', async () => {
  const { page } = await openWithPasskeys(1, withoutScript)
  const removeButton = page.getByRole('button', { name: buttons.remove })
  expect(await removeButton.count()).toBe(0)
  await page.locator('summary', { hasText: security.removeButton }).click()
  await page.getByRole('button', { name: security.removeButton }).click()
  await page.getByText(flashWords.passwordRemoved).waitFor()
  await page.getByText(passkeys.onlyWay).waitFor()
  await page.waitForLoadState()
  expect(await removeButton.count()).toBe(0)
  await page.locator('summary', { hasText: buttons.remove }).click()
  await removeButton.click()
  await page.getByText(errorWords.lastWayIn).waitFor()
  await page.goto('/settings/profile')
  await page.locator('summary', { hasText: buttons.deleteAccount }).click()
  await page.getByText(profileWords.unable).waitFor()
  await page.goto('/confirm-password')
  await page.getByText(confirmPassword.unable).waitFor()
  expect(await page.getByRole('button', { name: buttons.usePasskey }).count()).toBe(0)
})

test('axe finds no fault on ten passkeys with long names, which fit at 320, 360 and 1280 px', async () => {
  const { page } = await openWithPasskeys(10, { reducedMotion: 'reduce' })
  await loadAxe(page)
  await page.reload()
  await page.getByText(passkeys.full).waitFor()
  const renameButton = page.getByRole('button', { name: passkeys.rename })
  await renameButton.first().click()
  await page.getByRole('dialog').getByLabel(labels.name).fill('W'.repeat(200))
  await page.getByRole('dialog').getByRole('button', { name: buttons.save }).click()
  await page.getByRole('status').getByText(flashWords.passkeyRenamed).waitFor()
  const findings = [...(await axeViolations(page)), ...(await findOverflow(page, 'passkeys'))]
  await page.getByRole('button', { name: `${buttons.remove} WW` }).click()
  await page.getByRole('dialog').waitFor()
  findings.push(...(await axeViolations(page)), ...(await findOverflow(page, 'the dialog')))
  expect(findings).toEqual([])
})

test('a chosen appearance is applied at once and preserved on a reload', async () => {
  const { page } = await openPage('/settings/appearance', { colorScheme: 'light' })
  const radio = (name: string) => page.getByRole('radio', { name })
  await expect.poll(() => radio('System').isChecked()).toBe(true)
  await radio('Dark').check()
  await expect.poll(() => backgroundOf(page)).toBe('rgb(11, 17, 15)')
  await page.reload()
  await expect.poll(() => radio('Dark').isChecked()).toBe(true)
  expect(await backgroundOf(page)).toBe('rgb(11, 17, 15)')
  await radio('System').check()
  await expect.poll(() => backgroundOf(page)).toBe('rgb(245, 248, 245)')
})

test('an appearance belongs to the browser: another browser of the same user keeps its own', async () => {
  const { page, app } = await openPage('/settings/appearance', { colorScheme: 'light' })
  const otherBrowser = await openProfile(chromium(), app, { colorScheme: 'light' })
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.waitForURL('**/dashboard')
  const methods = new Set<string>()
  page.on('request', (request) => void methods.add(request.method()))
  await page.getByRole('radio', { name: 'Dark' }).check()
  await expect.poll(() => backgroundOf(page)).toBe('rgb(11, 17, 15)')
  await otherBrowser.page.goto('/settings/appearance')
  await expect
    .poll(() => otherBrowser.page.getByRole('radio', { name: 'System' }).isChecked())
    .toBe(true)
  expect(await backgroundOf(otherBrowser.page)).toBe('rgb(245, 248, 245)')
  methods.delete('GET')
  expect([...methods]).toEqual([])
})

test('without JavaScript the appearance page shows no choices and no error', async () => {
  const { page } = await openPage('/settings/appearance', withoutScript)
  await page.getByText(appearance.noScript).waitFor()
  expect(await page.locator('[data-appearance]:visible').count()).toBe(0)
  // The need for JavaScript is not shown as an error.
  expect(await page.locator('main .sign, main [data-kind=error]').count()).toBe(0)
})

test('an account is deleted after a confirmation with its password', async () => {
  const { page } = await openPage('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  const dialog = page.getByRole('dialog', { name: profileWords.sure })
  await dialog.waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('password')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await dialog.getByLabel(labels.password, { exact: true }).fill('not hers')
  await dialog.getByRole('button', { name: buttons.deleteAccount }).click()
  const errorText = page.getByText(errorWords.wrongPassword)
  await errorText.waitFor()
  await page.keyboard.press('Escape')
  // The empty field is no longer marked as wrong in the reopened dialog.
  await errorText.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await dialog.getByLabel(labels.password, { exact: true }).fill(ann.password)
  await dialog.getByRole('button', { name: buttons.deleteAccount }).click()
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await page.getByRole('status').getByText(flashWords.accountDeleted).waitFor()
})

test('a wrong password for deletion is displayed in the dialog of a new document in another language', async () => {
  const { page } = await openPage('/settings/profile')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/dashboard')
  await otherTab.getByRole('button', { name: 'Deutsch' }).click()
  await otherTab.locator('html[lang=de][data-started]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  await page.keyboard.type('not hers')
  await page.keyboard.press('Enter')
  const dialog = page.locator('html[lang=de] dialog:modal')
  await dialog.locator('#password-error').getByText('Das Passwort stimmt nicht.').waitFor()
  await dialog.locator('#password:focus').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})

test('without JavaScript an account is deleted after a confirmation that stays open after a wrong password', async () => {
  const { page } = await openPage('/settings/profile', withoutScript)
  const confirmHeading = page.getByRole('heading', { name: profileWords.sure })
  expect([
    await confirmHeading.count(),
    await page.locator('[data-opens]:visible').count(),
  ]).toEqual([0, 0])
  await page.locator('summary', { hasText: buttons.deleteAccount }).click()
  await confirmHeading.waitFor()
  expect(await page.locator('[formmethod=dialog]:visible').count()).toBe(0)
  await page.getByLabel(labels.password, { exact: true }).fill('not hers')
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  await page.locator('#password-error').getByText(errorWords.wrongPassword).waitFor()
  await page.getByLabel(labels.password, { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  await page.getByText(flashWords.accountDeleted).waitFor()
})

test('the notifications are listed twenty to a page, with a dot for new ones until they are read', async () => {
  const { page, app } = await openPage('/settings/profile')
  await addNotifications(app, 21)
  await page.goto('/no-such-page')
  await page.getByRole('link', { name: layout.unread(21) }).click()
  await page.getByRole('heading', { name: notifications.heading }).waitFor()
  const lines = page.locator('.line')
  expect([
    await lines.count(),
    await page.getByText(notifications.isNew, { exact: true }).count(),
  ]).toEqual([20, 20])
  await page.getByText(paging.page(1, 2)).waitFor()
  await page.getByRole('link', { name: notifications.older }).click()
  await page.getByText(paging.page(2, 2)).waitFor()
  expect(await lines.count()).toBe(1)
  expect(await page.title()).toBe(`${notifications.heading}, 2 of 2 · ${brandName}`)
  await page.getByRole('link', { name: notifications.newer }).click()
  await page.getByText(paging.page(1, 2)).waitFor()
  expect(await page.getByText(notifications.isNew, { exact: true }).count()).toBe(0)
  expect(await page.locator('.bell .count').count()).toBe(0)
})

test('going back from older unread notifications shows the newer ones again', async () => {
  const { page, app } = await openPage('/settings/profile')
  await addNotifications(app, 22)
  await page.goto('/notifications?unread')
  expect(await page.title()).toBe(`Unread notifications · ${brandName}`)
  await page.getByRole('link', { name: notifications.older }).click()
  const lines = page.locator('.line')
  await expect.poll(() => lines.count()).toBe(2)
  await page.goBack()
  await expect.poll(() => lines.count()).toBe(20)
})

test('without JavaScript the notifications have pages and their exact time', async () => {
  const { page, app } = await openPage('/settings/profile', withoutScript)
  await addNotifications(app, 21)
  await page.goto('/notifications')
  expect(await page.locator('.line time').first().textContent()).toBe('3 March 2026, 23:30 UTC')
  await page.getByRole('link', { name: notifications.older }).click()
  await page.getByText(paging.page(2, 2)).waitFor()
})

test('on a phone a notification has the same height with and without JavaScript', async () => {
  const viewport = { width: 360, height: 740 }
  const { page, app } = await openPage('/settings/profile', { viewport })
  const otherBrowser = await openProfile(chromium(), app, { ...withoutScript, viewport })
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.waitForURL('/dashboard')
  const heights: (number | undefined)[] = []
  for (const tab of [otherBrowser.page, page]) {
    await tab.goto('/notifications')
    const line = tab.locator('.line:has(.hint span)')
    heights.push((await line.boundingBox())?.height)
  }
  expect(heights[1]).toBe(heights[0])
})

test('printed notifications have a gap below their introduction', async () => {
  const { page } = await openPage('/notifications')
  await page.emulateMedia({ media: 'print' })
  const leadBox = await page.locator('.notifications .lead').boundingBox()
  const nextBox = await page.locator('.which + *').boundingBox()
  expect((nextBox?.y ?? 0) - (leadBox?.y ?? 0) - (leadBox?.height ?? 0)).toBeGreaterThanOrEqual(16)
})

test('the notifications page says so when there are no notifications', async () => {
  const { page } = await openPage('/notifications')
  await page.getByRole('heading', { name: notifications.none }).waitFor()
})

test('axe finds no fault on the settings and the notifications, in light and dark', async () => {
  const { page, app } = await openPage('/notifications', { reducedMotion: 'reduce' })
  await loadAxe(page)
  const findings: string[] = []
  await page.reload()
  findings.push(...(await axeViolations(page)))
  await addNotifications(app, 21)
  const otherBrowser = await openProfile(chromium(), app, { userAgent: firefox })
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.waitForURL('**/dashboard')
  for (const address of [...pages, '/notifications']) {
    await page.goto(address)
    findings.push(...(await axeViolations(page)))
  }
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  await page.getByRole('dialog').waitFor()
  findings.push(...(await axeViolations(page)))
  expect(findings).toEqual([])
})

test('no page of the settings scrolls sideways at 320, 360 and 1280 px, even with a name of 200 letters', async () => {
  const { page, app } = await serveWithProfile(chromium())
  const long = { name: 'W'.repeat(200), email: `${'w'.repeat(60)}@example.com` }
  await registerVerified(app, page, { ...long, password: ann.password })
  await addNotifications(app, 41)
  const otherBrowser = await openProfile(chromium(), app, { userAgent: firefox })
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, { ...long, password: ann.password })
  await otherBrowser.page.waitForURL('**/dashboard')
  const findings: string[] = []
  for (const address of [...pages, '/notifications?page=2']) {
    await page.goto(address)
    findings.push(...(await findOverflow(page, address)))
  }
  expect(findings).toEqual([])
})

test('a page is not displayed before its stylesheet has loaded', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/home-*.css', (route) => released.promise.then(() => route.continue()))
  const scriptRequest = page.waitForEvent('requestfinished', (request) =>
    /\/none-/.test(request.url()),
  )
  await page.getByRole('link', { name: brandName }).click()
  await scriptRequest
  await awaitTwoFrames(page)
  expect(await page.getByRole('heading', { name: home.heading }).count()).toBe(0)
  released.resolve()
  const heading = page.getByRole('heading', { name: home.heading })
  await heading.waitFor()
  expect(await heading.evaluate((h1) => parseFloat(getComputedStyle(h1).fontSize))).toBeGreaterThan(
    40,
  )
})

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Opens a page as Ann, verified and logged in. */
async function openPage(address: string, options: Parameters<typeof serveWithProfile>[1] = {}) {
  const { page, app } = await serveWithProfile(chromium(), {
    allowed: /status of (404|409|422)/,
    ...options,
  })
  await registerVerified(app, page, ann)
  await page.goto(address)
  return { page, app }
}

/** Opens the security page as Ann, with this many passkeys, which nobody has. */
async function openWithPasskeys(
  count: number,
  options: Parameters<typeof serveWithProfile>[1] = {},
) {
  const { page, app } = await openPage('/settings/security', options)
  const db = await openDatabase(app.database)
  for (let added = 0; added < count; added++) await addPasskeysAndTokens(db, new Date())
  await db.close()
  await page.reload()
  return { page, app }
}

/** Gives every account this many notifications. */
async function addNotifications(app: Served, count: number): Promise<void> {
  const db = await openDatabase(app.database)
  for (let added = 0; added < count; added++) await notifyAll(db, new Date('2026-03-03T23:30:00Z'))
  await db.close()
}

async function changePassword(page: Page, current: string): Promise<void> {
  await page.getByLabel(labels.currentPassword).fill(current)
  await page.getByLabel(labels.newPassword).fill('staple battery')
  await page.getByLabel(labels.confirmPassword).fill('staple battery')
  await page.getByRole('button', { name: buttons.save }).click()
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** Chooses a photo of two megabytes, which the browser sends as it is. */
async function chooseLargePhoto(page: Page): Promise<void> {
  // Otherwise it would be scaled down before.
  await readNoise(page)
  await page.reload()
  const large = { ...photo, buffer: Buffer.concat([photo.buffer, Buffer.alloc(1_900_000)]) }
  await page.getByLabel(profileWords.choose).setInputFiles(large)
}

/** Returns the URL of the photo on the profile; null if there is none. */
async function photoUrl(page: Page): Promise<string | null> {
  const images = page.locator('.photo img')
  return (await images.count()) === 0 ? null : images.getAttribute('src')
}

/** Waits until what has arrived can be painted. */
function awaitTwoFrames(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++)
      await new Promise((resolve) => requestAnimationFrame(resolve))
  })
}

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor)
}
