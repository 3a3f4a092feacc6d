import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  keepToasts,
  logIn,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { followLink } from '../../../internal/testing/chromium/open-settings.ts'
import { publishEvent } from '../../../internal/testing/processes/publish-event.ts'
import { titles } from '#words/titles/settings'
import { buttons } from '#words/buttons'
import { dashboard } from '#words/dashboard'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { layout } from '#words/layout'
import { notifications } from '#words/notifications'
import { settings } from '#words/settings/settings'

const chromium = chromiumOfFile()

test('each failed login is announced once', async () => {
  const { page } = await serveWithProfile(chromium())
  await recordAnnouncements(page)
  await page.goto('/login')
  for (const count of [1, 2, 3]) {
    await logIn(page, { email: ann.email, password: 'not hers' })
    expect(await countAnnounced(page, errorWords.wrongLogin)).toBe(count)
  }
})

test('each wrong password on the confirm page is announced once', async () => {
  const page = await serveLoggedIn()
  await page.goto('/confirm-password')
  for (const count of [1, 2, 3]) {
    await page.keyboard.type('not hers')
    await page.keyboard.press('Enter')
    expect(await countAnnounced(page, errorWords.wrongPassword)).toBe(count)
  }
})

test('each wrong code during two-factor setup is announced once', async () => {
  const page = await serveLoggedIn()
  await page.goto('/settings/security')
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  await page.getByLabel(labels.code).waitFor()
  for (const count of [1, 2, 3]) {
    // The script that submits a complete code may load only after it was typed.
    const response = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await page.getByLabel(labels.code).fill('000000')
    await response
    expect(await countAnnounced(page, errorWords.wrongCode)).toBe(count)
  }
})

test('each wrong password in a dialog is announced once, by a live region inside the dialog', async () => {
  const page = await serveLoggedIn()
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  const dialog = page.getByRole('dialog')
  for (const count of [1, 2]) {
    await dialog.getByLabel(labels.password, { exact: true }).fill('not hers')
    await page.keyboard.press('Enter')
    expect(await countAnnounced(page, errorWords.wrongPassword)).toBe(count)
  }
  expect(await dialog.locator('#announce').textContent()).toContain(errorWords.wrongPassword)
})

test('an error whose field gets the focus is not announced a second time', async () => {
  const page = await serveLoggedIn()
  await page.goto('/confirm-password')
  for (const _ of [1, 2]) {
    await page.getByLabel(labels.password, { exact: true }).fill('not hers')
    await page.getByRole('button', { name: buttons.confirm }).click()
    expect(await countAnnounced(page, errorWords.wrongPassword)).toBe(1)
  }
})

test('a new notification is announced once, with the number of unread ones, on their own page too', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await recordAnnouncements(page)
  await page.goto('/dashboard')
  for (const count of [1, 2]) {
    await publishEvent(app, 'notification')
    await expect.poll(() => countAnnounced(page, layout.unread(count))).toBe(1)
  }
  await page.locator('.bell').click()
  await page.getByRole('heading', { name: notifications.heading }).waitFor()
  await publishEvent(app, 'notification')
  await expect.poll(() => countAnnounced(page, layout.unread(3))).toBe(1)
})

test('a dialog opens with an empty live region, without earlier announcements', async () => {
  const page = await serveLoggedIn()
  await page.goto('/dashboard')
  await page.getByRole('link', { name: dashboard.profile }).click()
  await expect
    .poll(() => page.locator('#announce').textContent())
    .toContain(titles['Settings/Profile'])
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  expect(await page.getByRole('dialog').locator('#announce').textContent()).toBe('')
})

test('the live regions of toasts are not atomic, so that only a new toast is announced', async () => {
  const page = await serveLoggedIn()
  await page.goto('/settings/profile')
  for (const role of ['status', 'alert'])
    expect(await page.locator(`#toasts [role=${role}]`).getAttribute('aria-atomic')).toBe('false')
})

test('each of several toasts is announced once, when it appears', async () => {
  const page = await serveLoggedIn()
  await keepToasts(page)
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: buttons.save }).click()
  const first = page.locator('#toasts .toast', { hasText: flashWords.profileSaved })
  await first.waitFor()
  await followLink(page, settings.security)
  await page.getByLabel(labels.currentPassword).fill(ann.password)
  await page.getByLabel(labels.newPassword).fill('another horse')
  await page.getByLabel(labels.confirmPassword).fill('another horse')
  await page.getByRole('button', { name: buttons.save }).click()
  const second = page.locator('#toasts .toast', { hasText: flashWords.passwordChanged })
  await second.waitFor()
  for (const toast of [first, second])
    expect(await countAnnounced(page, (await toast.textContent()) ?? '')).toBe(1)
})

async function serveLoggedIn(): Promise<Page> {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await recordAnnouncements(page)
  return page
}

/** Makes later pages record what their live regions announce: all their content, or what is new if not atomic. */
function recordAnnouncements(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const announcements: string[] = []
    Object.assign(window, { announcements })
    const liveRegion = '[aria-live],[role=alert],[role=status]'
    new MutationObserver((changes) => {
      const announcedNodes = changes.flatMap(({ target, addedNodes }) => {
        const region = (target as Element).closest?.(liveRegion)
        return region?.ariaAtomic === 'false' ? [...addedNodes] : (region ?? [])
      })
      for (const node of new Set(announcedNodes)) announcements.push(node.textContent?.trim() ?? '')
    }).observe(document, { childList: true, subtree: true })
  })
}

/** Counts how often a text was announced, once the form is answered and the page drawn. */
async function countAnnounced(page: Page, text: string): Promise<number> {
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  const announcements = await page.evaluate(
    () => (window as unknown as { announcements: string[] }).announcements,
  )
  return announcements.filter((announcement) => announcement === text).length
}
