import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../internal/testing/chromium.ts'
import { ann } from '../internal/testing/people.ts'
import { registerVerified, visited } from '../internal/testing/tab.ts'

const chromium = chromiumOfFile()

test('on a phone a German toast covers no token that it says to copy', async () => {
  const { page } = await shownTo({ locale: 'de-DE', viewport: { width: 360, height: 640 } })
  const free: boolean[] = []
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
    await expect.poll(() => isFree(page, '#new-token')).toBe(true)
    free.push(await isFree(page, '[data-copy=new-token]'))
  }
  expect(free).toEqual([true, true])
})

async function shownTo(options: Parameters<typeof visited>[1]) {
  const there = await visited(chromium(), { reducedMotion: 'reduce', ...options })
  await registerVerified(there.app, there.page, ann)
  return there
}

/** Whether it is in the window, and beside each toast, of which there are some. */
function isFree(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    const toasts = [...document.querySelectorAll('.toast')]
    const isBeside = toasts
      .map((toast) => toast.getBoundingClientRect())
      .every((at) => at.top >= bottom || at.bottom <= top)
    return top >= 0 && bottom <= innerHeight && toasts.length > 0 && isBeside
  })
}
