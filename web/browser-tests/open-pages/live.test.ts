import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { followLink, goTo } from '../../../internal/testing/chromium/open-settings.ts'
import { ann } from '../../../internal/testing/people.ts'
import { notifyAll, verifyEmails } from '../../../internal/testing/database/rows.ts'
import {
  failOnce,
  awaitLive,
  readNoise,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { languages } from '../../contract/languages.ts'
import { appName } from '../../contract/name.ts'
import { appearance } from '#words/settings/appearance'
import { buttons } from '#words/buttons'
import { dashboard } from '#words/dashboard'
import { clientWords } from '#words/client/client'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { profile as profileWords } from '#words/settings/profile'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'

const chromium = chromiumOfFile()
const onePixelGif = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'base64',
)
const minute = 60_000

test('a time is displayed relative to now and kept up to date, with the exact time as its title', async () => {
  const { page, app } = await serveLoggedIn({ timezoneId: 'Asia/Kolkata' })
  await page.clock.install({ time: new Date('2026-11-21T12:05:00Z') })
  const db = await openDatabase(app.database)
  await notifyAll(db, new Date('2026-11-21T12:00:00Z'))
  await db.close()
  await page.goto('/notifications')
  const time = page.locator('time[data-relative]').first()
  await time.getByText('5 minutes ago').waitFor()
  expect(await time.getAttribute('title')).toMatch(
    /21 November 2026.*17:30:00|November 21, 2026.*5:30:00\sPM/,
  )
  await page.clock.runFor(2 * minute)
  await time.getByText('7 minutes ago').waitFor()
})

test('a past time is never displayed as future in a browser whose clock is slow', async () => {
  const { page, app } = await serveLoggedIn()
  await page.clock.install({ time: new Date('2026-11-21T11:57:00Z') })
  const db = await openDatabase(app.database)
  await notifyAll(db, new Date('2026-11-21T12:00:00Z'))
  await db.close()
  await page.goto('/notifications')
  const time = page.locator('time[data-relative]').first()
  await time.getByText(/^now$/).waitFor()
  await page.clock.runFor(5 * minute)
  await time.getByText('2 minutes ago').waitFor()
})

test('relative days, months and years follow the calendar: two days ago is not yesterday', async () => {
  const { page, app } = await serveLoggedIn({ timezoneId: 'Asia/Kolkata' })
  await page.clock.install({ time: new Date('2026-11-26T16:00:00Z') })
  const db = await openDatabase(app.database)
  const times = [
    '2024-12-01T12:00:00Z',
    '2026-09-28T12:00:00Z',
    '2026-10-27T12:00:00Z',
    // Two days ago in the reader's time zone.
    '2026-11-23T18:31:00Z',
    '2026-11-24T18:31:00Z',
    '2026-11-25T17:00:00Z',
  ]
  for (const time of times) await notifyAll(db, new Date(time))
  await db.close()
  await page.goto('/notifications')
  const shownTimes = page.locator('time[data-relative]')
  await expect
    .poll(async () => (await shownTimes.allTextContents()).toReversed())
    .toEqual([
      '2 years ago',
      '2 months ago',
      'last month',
      '2 days ago',
      'yesterday',
      '23 hours ago',
    ])
})

test('a day is displayed in the user’s time zone, in the format of the page’s language', async () => {
  const { page, app } = await serveLoggedIn({ timezoneId: 'Asia/Kolkata' })
  const db = await openDatabase(app.database)
  await verifyEmails(db, new Date('2026-03-03T23:30:00Z'))
  await db.close()
  await page.goto('/dashboard')
  const day = page.locator('time[data-day]')
  await day.getByText(dashboard.verifiedOn('4 March 2026')).waitFor()
  expect(await day.getAttribute('title')).toMatch(/4 March 2026.*05:00:00/)
  await page.goto('/settings/appearance')
  await page.getByRole('radio', { name: languages.de.name }).check()
  await page.getByRole('button', { name: appearance.useLanguage }).click()
  await page.locator('html[lang=de]').waitFor()
  await page.goto('/dashboard')
  await day.getByText('4. März 2026').waitFor()
})

test('a date without a time is the same in every time zone', async () => {
  const days: Record<string, string> = {}
  for (const timezoneId of ['America/New_York', 'Pacific/Kiritimati']) {
    const { page } = await serveLoggedIn({ timezoneId })
    await page.route('/dashboard', async (route) => {
      const response = await route.fetch()
      const date = '<time datetime="2026-12-24" data-day="Due {time}">Due then</time>'
      const body = (await response.text()).replace('</body>', `${date}$&`)
      await route.fulfill({ response, body })
    })
    await page.goto('/dashboard')
    // It is written after the times of the page itself.
    await page.locator('#app time[data-day][title]').waitFor()
    days[timezoneId] = await page.locator('body > time').evaluate((element) => element.outerHTML)
  }
  const day = '<time datetime="2026-12-24" data-day="Due {time}">Due 24 December 2026</time>'
  expect(days).toEqual({ 'America/New_York': day, 'Pacific/Kiritimati': day })
})

test('an English page has American dates only in a browser set to American English', async () => {
  const days: Record<string, string | null> = {}
  for (const locale of ['en', 'de-DE', 'en-US']) {
    const { page, app, context } = await serveWithProfile(chromium(), {
      locale,
      timezoneId: 'Asia/Kolkata',
    })
    const cookie = { name: `${appName}_language`, value: 'en', url: app.origin }
    await context.addCookies([cookie])
    await registerVerified(app, page, ann)
    const db = await openDatabase(app.database)
    await verifyEmails(db, new Date('2026-03-03T23:30:00Z'))
    await db.close()
    await page.goto('/dashboard')
    await page.locator('time[data-day][title]').waitFor()
    days[locale] = await page.locator('time[data-day]').textContent()
  }
  const [day, american] = ['4 March 2026', 'March 4, 2026'].map(dashboard.verifiedOn)
  expect(days).toEqual({ en: day, 'de-DE': day, 'en-US': american })
})

test('a day is displayed even if the browser lists languages that Intl does not accept', async () => {
  const { page } = await serveLoggedIn()
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { value: ['c', 'en-US@posix', 'de-DE'] })
  })
  await page.goto('/dashboard')
  await page.locator('time[data-day][title]').waitFor()
})

test('deletion asks for confirmation in a dialog, which Escape and Cancel close, returning the focus', async () => {
  const { page } = await serveLoggedIn()
  await openLive(page, '/settings/profile')
  const opener = page.getByRole('button', { name: buttons.deleteAccount }).first()
  const dialog = page.locator('dialog')
  for (const close of [() => page.keyboard.press('Escape'), () => cancelButton(page).click()]) {
    await opener.click()
    await dialog.waitFor()
    expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true)
    await close()
    await dialog.waitFor({ state: 'hidden' })
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  }
})

test('a dialog without a field focuses the button that cancels', async () => {
  const { page } = await serveLoggedIn()
  await openLive(page, '/settings/tokens')
  await page.getByLabel(labels.name).fill('Deploy')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: tokens.create }).click()
  await page.locator('#new-token').waitFor()
  await page.getByRole('button', { name: tokens.revoke }).press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: tokens.revoke }).waitFor()
})

test('a toast appears inside an open dialog, and in the page once the dialog is closed', async () => {
  const { page, context } = await serveLoggedIn({ allowed: /ERR_INTERNET_DISCONNECTED/ })
  await openLive(page, '/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  const dialog = page.getByRole('dialog', { name: profileWords.sure })
  await dialog.getByLabel(labels.password, { exact: true }).fill(ann.password)
  await context.setOffline(true)
  await dialog.getByRole('button', { name: buttons.deleteAccount }).click()
  await dialog.getByRole('alert').getByText(clientWords.gone).waitFor()
  await dialog.getByRole('button', { name: clientWords.dismiss }).click()
  await dialog.getByText(clientWords.gone).waitFor({ state: 'detached' })
  await dialog.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  expect(await page.locator('body > #toasts .toast').count()).toBe(1)
})

test('toasts still appear after an open dialog was removed together with its page', async () => {
  const { page } = await serveLoggedIn()
  await openLive(page, '/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  await page.getByRole('dialog', { name: profileWords.sure }).waitFor()
  // Like a phone's back button, which does not close such a dialog.
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/dashboard"]')?.click())
  await page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  await page.getByRole('link', { name: dashboard.profile }).click()
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('status').getByText(flashWords.profileSaved).waitFor()
})

test('an error toast disappears when the user goes back to another page', async () => {
  const { page } = await serveLoggedIn({ allowed: /status of 502/ })
  await openLive(page, '/settings/appearance')
  await followLink(page, settings.profile)
  await page.route('**/settings/profile', (route) => route.fulfill({ status: 502 }))
  await page.getByRole('button', { name: buttons.save }).click()
  const toast = page.getByRole('alert').getByText(clientWords.notAPage)
  await toast.waitFor()
  await goTo(page, 'back', settings.appearance)
  expect(await toast.count()).toBe(0)
})

test('the notice that the network is gone stays when the user goes back to another page', async () => {
  const { page, context } = await serveLoggedIn({ allowed: /ERR_INTERNET_DISCONNECTED/ })
  await openLive(page, '/settings/appearance')
  await followLink(page, settings.profile)
  await context.setOffline(true)
  await page.getByRole('button', { name: buttons.save }).click()
  const notice = page.getByRole('alert').getByText(clientWords.gone)
  await notice.waitFor()
  await goTo(page, 'back', settings.appearance)
  expect(await notice.count()).toBe(1)
})

test('a closed dialog opens again with an empty and hidden password', async () => {
  const { page } = await serveLoggedIn()
  await openLive(page, '/settings/profile')
  const opener = page.getByRole('button', { name: buttons.deleteAccount }).first()
  await opener.click()
  const field = page.getByLabel(labels.password, { exact: true })
  await field.fill('half a password')
  await page.getByRole('dialog').getByRole('button', { name: labels.showPassword }).click()
  await page.keyboard.press('Escape')
  await opener.click()
  expect([await field.inputValue(), await field.getAttribute('type')]).toEqual(['', 'password'])
})

test('a chosen appearance is applied at once, in other tabs too, and is displayed as selected', async () => {
  const { page, context } = await serveLoggedIn()
  const otherTab = await context.newPage()
  await Promise.all([page.goto('/settings/appearance'), otherTab.goto('/settings/appearance')])
  await expect.poll(() => checkedAppearance(page)).toBe('system')
  await page.locator('input[value=dark]').check()
  expect(await appliedAppearance(page)).toBe('dark')
  await expect.poll(() => appliedAppearance(otherTab)).toBe('dark')
  await expect.poll(() => checkedAppearance(otherTab)).toBe('dark')
  await page.reload()
  // The browser itself restores the choice.
  await awaitLive(page)
  await expect.poll(() => checkedAppearance(page)).toBe('dark')
  await page.locator('input[value=system]').check()
  expect(await appliedAppearance(page)).toBe(undefined)
  await expect.poll(() => checkedAppearance(otherTab)).toBe('system')
})

test('a chosen photo is displayed before it is uploaded', async () => {
  const { page } = await serveLoggedIn()
  await page.goto('/settings/profile')
  const canvas = page.locator('canvas')
  expect(await canvas.isVisible()).toBe(false)
  await chooseFile(page, { name: 'red.png', mimeType: 'image/png', buffer: await redPicture(page) })
  await canvas.waitFor()
  const middlePixel = await canvas.evaluate((element: HTMLCanvasElement) => [
    ...(element.getContext('2d')?.getImageData(element.width / 2, element.height / 2, 1, 1).data ??
      []),
  ])
  expect(middlePixel).toEqual([255, 0, 0, 255])
})

test('in a browser that cannot redraw pictures, a photo over 2 MiB is refused and a small one is uploaded', async () => {
  const { page } = await serveLoggedIn()
  await readNoise(page)
  await page.goto('/settings/profile')
  const buffer = Buffer.concat([await redPicture(page), Buffer.alloc(2 * 1024 * 1024)])
  await chooseFile(page, { name: 'large.png', mimeType: 'image/png', buffer })
  await page.getByText(errorWords.photoLarge).waitFor()
  expect(await countChosenFiles(page)).toBe(0)
  expect(await page.locator('canvas').isVisible()).toBe(false)
  await chooseFile(page, { name: 'red.png', mimeType: 'image/png', buffer: await redPicture(page) })
  await page.getByText(errorWords.photoLarge).waitFor({ state: 'detached' })
  expect(await page.locator('canvas').isVisible()).toBe(false)
  await page.getByRole('button', { name: buttons.uploadPhoto }).click()
  await page.locator('#toasts').getByText(flashWords.photoSaved).waitFor()
})

test('a text file named as a picture and a picture of another type are refused, and the chosen photo stays', async () => {
  const { page } = await serveLoggedIn()
  await page.goto('/settings/profile')
  await chooseFile(page, { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('a text') })
  await page.getByText(errorWords.photoType).waitFor()
  expect(await countChosenFiles(page)).toBe(0)
  await chooseFile(page, { name: 'red.png', mimeType: 'image/png', buffer: await redPicture(page) })
  await page.getByText(errorWords.photoType).waitFor({ state: 'detached' })
  await chooseFile(page, {
    name: 'a.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg/>'),
  })
  await page.getByText(errorWords.photoType).waitFor()
  expect(await page.locator('[data-crop]').inputValue()).toMatch(/red\.png$/)
  expect(await page.locator('canvas').isVisible()).toBe(true)
})

test('a photo is recognized by its bytes, whatever its file is called', async () => {
  const { page } = await serveLoggedIn()
  await page.goto('/settings/profile')
  const buffer = await redPicture(page)
  await chooseFile(page, { name: 'photo.txt', mimeType: 'text/plain', buffer })
  await page.locator('canvas').waitFor()
  await page.getByRole('button', { name: buttons.uploadPhoto }).click()
  await page.locator('#toasts').getByText(flashWords.photoSaved).waitFor()
})

test('a GIF is refused at once, whatever its file is called', async () => {
  const { page } = await serveLoggedIn()
  await page.goto('/settings/profile')
  await chooseFile(page, { name: 'photo.png', mimeType: 'image/png', buffer: onePixelGif })
  await page.getByText(errorWords.photoType).waitFor()
  expect(await countChosenFiles(page)).toBe(0)
})

/** Opens a page, and waits until its live script is running, which then requests the event stream. */
async function openLive(page: Page, address: string): Promise<void> {
  await Promise.all([page.waitForRequest(/\/broadcasts/), page.goto(address)])
}

async function serveLoggedIn(options: Parameters<typeof serveWithProfile>[1] = {}) {
  const profile = await serveWithProfile(chromium(), options)
  await registerVerified(profile.app, profile.page, ann)
  return profile
}

function cancelButton(page: Page) {
  return page.locator('dialog [formmethod=dialog]')
}

function checkedAppearance(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () => document.querySelector<HTMLInputElement>('input[data-appearance]:checked')?.value,
  )
}

function appliedAppearance(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.documentElement.dataset.appearance)
}

function chooseFile(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  return page.locator('input[data-crop]').setInputFiles(file)
}

function countChosenFiles(page: Page): Promise<number | undefined> {
  return page.locator('input[data-crop]').evaluate((input: HTMLInputElement) => input.files?.length)
}

/** Returns a PNG of one red pixel, stretched, drawn by the browser itself. */
async function redPicture(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    if (context) context.fillStyle = 'red'
    context?.fillRect(0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

test('a dialog works as without JavaScript when its script fails to load, and with the script after a link', async () => {
  const { page } = await serveLoggedIn({ allowed: /ERR_FAILED/ })
  await failOnce(page, /\/live-/)
  await page.goto('/settings/profile')
  await page.locator('summary', { hasText: buttons.deleteAccount }).click()
  await page
    .locator('details[open] + dialog')
    .getByLabel(labels.password, { exact: true })
    .waitFor()
  await page.getByRole('link', { name: settings.security }).first().click()
  await page.waitForURL('/settings/security')
  await page.getByRole('link', { name: settings.profile }).first().click()
  await page.waitForURL('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  await page.getByRole('dialog').waitFor()
})

test('a page whose own script fails to load works as without JavaScript', async () => {
  const { page } = await serveLoggedIn({ allowed: /ERR_FAILED/ })
  await page.goto('/settings/security')
  const script = await page.locator('script[type=module]').first().getAttribute('src')
  await page.route(`**${script}`, (route) => route.abort())
  await page.goto('/settings/profile', { waitUntil: 'commit' })
  await page.locator('summary', { hasText: buttons.deleteAccount }).click()
  await page
    .locator('details[open] + dialog')
    .getByLabel(labels.password, { exact: true })
    .waitFor()
})

test('the password can be shown while another script never loads', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.route(/\/validation-/, () => {})
  await page.goto('/register')
  const password = page.getByLabel(labels.password, { exact: true })
  await password.fill('secret')
  await page.getByRole('button', { name: labels.showPassword }).first().click()
  expect(await password.getAttribute('type')).toBe('text')
})

test('a click is not lost while the script that handles it loads', async () => {
  const { page } = await serveLoggedIn()
  const released = Promise.withResolvers<void>()
  await page.route(/\/live-/, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  released.resolve()
  await page.getByRole('dialog').waitFor()
})
