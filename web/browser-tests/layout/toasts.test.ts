import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { isClearOfToasts } from '../../../internal/testing/chromium/clear-of-toasts.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  keepToasts,
  awaitLive,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { labels } from '#words/labels'
import { copying } from '#words/settings/two-factor'

const chromium = chromiumOfFile()
const allowed = /status of 502|ERR_INTERNET_DISCONNECTED/

test.for([
  ['en-GB', '/settings/security', 'form[action="/settings/password"]'],
  ['de-DE', '/settings/security', 'form[action="/settings/password"]'],
  ['de-DE', '/settings/profile', 'form[action="/settings/profile"]'],
] as const)(
  'in %s, at four times the size, no lasting toast covers the focused element on %s',
  async ([locale, path, form]) => {
    const { page } = await serveWithToasts({ locale, viewport: { width: 320, height: 256 } })
    await page.goto(path)
    await page.route(/\/settings\/(password|profile)$/, (route) => route.fulfill({ status: 502 }))
    const button = page.locator(`${form} button.primary`)
    await button.focus()
    // Where a toast will appear.
    await button.evaluate((element) => {
      element.scrollIntoView({ block: 'end' })
      scrollBy({ top: 16 })
    })
    await page.keyboard.press('Enter')
    await page.locator('.toast').waitFor()
    await expect.poll(() => isFocusVisible(page)).toBe(true)
    expect(await countReached(page, 'Tab')).toBeGreaterThan(10)
    expect(await countReached(page, 'Shift+Tab')).toBeGreaterThan(10)
  },
)

test('on a phone in landscape two toasts do not cover the focused element', async () => {
  const viewport = { width: 667, height: 375 }
  const { page, context } = await serveWithToasts({ locale: 'de-DE', viewport })
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/security')])
  await page.route('**/settings/password', (route) => route.fulfill({ status: 502 }))
  await page.locator('form[action="/settings/password"] button.primary').press('Enter')
  await page.locator('.toast').waitFor()
  await context.setOffline(true)
  await expect.poll(() => page.locator('.toast').count()).toBe(2)
  expect(await countReached(page, 'Tab')).toBeGreaterThan(10)
  expect(await page.locator('.toast').count()).toBe(2)
})

test('on a phone a German toast does not cover the new token that it says to copy', async () => {
  const { page } = await serveWithToasts({ locale: 'de-DE', viewport: { width: 360, height: 640 } })
  const areClear: boolean[] = []
  for (const [width, height] of [
    [360, 640],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/settings/tokens')
    await page.locator('#name').fill('Deploy')
    await page.getByRole('checkbox').first().check()
    await page.locator('form:has(#name) button.primary').click()
    await page.locator('.toast').waitFor()
    await expect.poll(() => isClearOfToasts(page, '#new-token')).toBe(true)
    areClear.push(await isClearOfToasts(page, '[data-copy=new-token]'))
  }
  expect(areClear).toEqual([true, true])
})

test('on the narrowest phone a German toast covers no recovery codes in the middle of the window', async () => {
  const { page } = await serveWithToasts({ locale: 'de-DE', viewport: { width: 320, height: 740 } })
  await page.goto('/settings/security')
  await awaitLive(page)
  await page.locator('form[action="/settings/two-factor"] button').click()
  const secret = await page.locator('#secret').getAttribute('data-text')
  await page.locator('#code').fill(codeAt(secret ?? '', new Date()))
  const codes = page.locator('#recovery-codes')
  await codes.waitFor()
  await page.locator('.toast').waitFor()
  await codes.evaluate((element) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    addEventListener('scrollend', resolve, { once: true })
    scrollBy({ top: element.getBoundingClientRect().top - 190, behavior: 'instant' })
    return promise
  })
  expect(await isClearOfToasts(page, '#recovery-codes')).toBe(true)
})

test('on a phone no toast covers the QR code', async () => {
  const { page, context } = await serveWithToasts({ viewport: { width: 360, height: 740 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/settings/security')
  await awaitLive(page)
  await page.locator('form[action="/settings/two-factor"] button').click()
  const qrCode = page.locator('.qr')
  await qrCode.evaluate((element) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    addEventListener('scrollend', resolve, { once: true })
    scrollBy({
      top: element.getBoundingClientRect().bottom + 24 - innerHeight,
      behavior: 'instant',
    })
    return promise
  })
  await page.locator('[data-copy=secret]').dispatchEvent('click')
  await page.getByRole('status').getByText(copying.done).waitFor()
  await expect.poll(() => isClearOfToasts(page, '.qr')).toBe(true)
})

async function serveWithToasts(options: Parameters<typeof serveWithProfile>[1]) {
  const profile = await serveWithProfile(chromium(), {
    reducedMotion: 'reduce',
    allowed,
    ...options,
  })
  await keepToasts(profile.page)
  await registerVerified(profile.app, profile.page, ann)
  return profile
}

/** Moves through the page by a key, checks that each focused element is visible, and counts them. */
async function countReached(page: Page, key: string): Promise<number> {
  const visited = new Set<string>()
  for (;;) {
    await page.keyboard.press(key)
    const focusedElement = await page.evaluate(() => {
      const { activeElement } = document
      const index = [...document.querySelectorAll('*')].indexOf(activeElement ?? document.body)
      return `${index} ${activeElement?.outerHTML}`
    })
    // Once through the page, and back at its start.
    if (visited.has(focusedElement)) return visited.size
    visited.add(focusedElement)
    await expect.poll(() => isFocusVisible(page), { message: focusedElement }).toBe(true)
  }
}

/** Whether a part of the focused element is in the window, and not covered by a toast. */
function isFocusVisible(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const focused = document.activeElement ?? document.body
    if (focused === document.body || focused.closest('.toast')) return true
    const { x, y, width, height } = focused.getBoundingClientRect()
    const shares = [0.1, 0.3, 0.5, 0.7, 0.9]
    return shares.some((across) =>
      shares.some((down) => {
        const topmost = document.elementFromPoint(x + width * across, y + height * down)
        return topmost !== null && !topmost.closest('.toast')
      }),
    )
  })
}

test('a toast that is taller than the window stays inside it and can be scrolled', async () => {
  // As wide, in letters, as 480 pixels at twice the usual font size.
  const { page } = await serveWithProfile(chromium(), { viewport: { width: 240, height: 80 } })
  await page.goto('/forgot-password')
  const loaded = page.waitForResponse(/\/offline-\w+\.css/)
  await page.getByLabel(labels.email).fill(ann.email)
  await loaded
  await page.keyboard.press('Enter')
  const toasts = page.locator('#toasts:has(.toast)')
  await expect
    .poll(() => toasts.evaluate((region) => region.scrollHeight > region.clientHeight))
    .toBe(true)
  const { y, height } = (await toasts.boundingBox()) ?? { y: 0, height: Infinity }
  expect(y + height).toBeLessThanOrEqual(80)
})
