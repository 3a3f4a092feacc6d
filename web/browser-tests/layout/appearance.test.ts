import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { colours } from '../../brand/colours.ts'
import { isClearOfToasts } from '../../../internal/testing/chromium/clear-of-toasts.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  keepToasts,
  logIn,
  register,
  registerVerified,
  timeIn,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { buttons } from '#words/buttons'
import { flashWords } from '#words/flash'
import { clientWords } from '#words/client/client'
import { labels } from '#words/labels'
import { layout } from '#words/layout'

const chromium = chromiumOfFile()
const [light, dark] = colours.bg

test('the pages follow the system’s appearance when the user has chosen none', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  await page.emulateMedia({ colorScheme: 'light' })
  const lightColours = [await backgroundOf(page), await themeColourOf(page)]
  await page.emulateMedia({ colorScheme: 'dark' })
  const darkColours = [await backgroundOf(page), await themeColourOf(page)]
  expect([lightColours, darkColours]).toEqual([
    [light, light],
    [dark, dark],
  ])
})

test('a chosen appearance is applied before the page paints', async () => {
  const { page } = await serveWithProfile(chromium(), { colorScheme: 'light' })
  await page.addInitScript(() => localStorage.setItem('appearance', 'dark'))
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/*.css', async (route) => {
    await released.promise
    await route.continue()
  })
  // Nothing but the document itself is loaded yet, not even the module.
  await page.route('**/assets/*.js', (route) => released.promise.then(() => route.continue()))
  await page.goto('/login', { waitUntil: 'commit' })
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset.appearance))
    .toBe('dark')
  const paintCount = await page.evaluate(() => performance.getEntriesByType('paint').length)
  released.resolve()
  await page.waitForLoadState()
  expect(paintCount).toBe(0)
  expect(await backgroundOf(page)).toBe(dark)
})

test('a light appearance stays light on a dark system', async () => {
  const { page } = await serveWithProfile(chromium(), { colorScheme: 'dark' })
  await page.addInitScript(() => localStorage.setItem('appearance', 'light'))
  await page.goto('/login')
  expect([await backgroundOf(page), await themeColourOf(page)]).toEqual([light, light])
})

test('an appearance chosen in one tab is applied in the other tabs', async () => {
  const { page, context } = await serveWithProfile(chromium(), { colorScheme: 'light' })
  await page.goto('/login')
  const otherTab = await context.newPage()
  await otherTab.goto('/')
  await otherTab.evaluate(() => localStorage.setItem('appearance', 'dark'))
  await expect.poll(() => backgroundOf(page)).toBe(dark)
  expect(await themeColourOf(page)).toBe(dark)
})

test('a stored appearance that is not a valid choice is ignored', async () => {
  const { page } = await serveWithProfile(chromium(), { colorScheme: 'light' })
  await page.addInitScript(() => localStorage.setItem('appearance', 'dark"><script>'))
  await page.goto('/login')
  expect(await page.locator('html').getAttribute('data-appearance')).toBe(null)
  expect(await backgroundOf(page)).toBe(light)
})

test('with reduced motion a toast appears without animation', async () => {
  const { page } = await serveWithProfile(chromium(), {
    reducedMotion: 'reduce',
    allowed: /status of 502/,
  })
  await page.goto('/login')
  await page.route('**/login', (route) => route.fulfill({ status: 502 }))
  await page.getByRole('button', { name: buttons.logIn, exact: true }).click()
  await page.getByRole('alert').getByText(clientWords.notAPage).waitFor()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
})

test('for people who want more contrast, secondary text is as dark as other text, and cards have clear borders', async () => {
  const { page, app } = await serveWithProfile(chromium(), { contrast: 'more' })
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  const colourOf = (selector: string, property: 'color' | 'borderTopColor') =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element)[name], property)
  expect(await colourOf('.hint', 'color')).toBe(await colourOf('h1', 'color'))
  expect(await colourOf('.settings-page .rows', 'borderTopColor')).toBe(
    await colourOf('#current_password', 'borderTopColor'),
  )
})

test('a toast moves nothing on the page as it comes and goes, and covers no field on a phone', async () => {
  const viewport = { width: 360, height: 640 }
  const { page } = await serveWithProfile(chromium(), { viewport, allowed: /status of 502/ })
  await page.goto('/login')
  const before = await boxesOf(page)
  await page.route('**/login', (route) => route.fulfill({ status: 502 }))
  await page.getByRole('button', { name: buttons.logIn, exact: true }).click()
  const toast = page.locator('.toast')
  await toast.getByText(clientWords.notAPage).waitFor()
  expect(await boxesOf(page)).toEqual(before)
  expect(await isAbove(toast, page.getByLabel(labels.email))).toBe(true)
  await page.setViewportSize({ width: 1280, height: 640 })
  const beforeDismissal = await boxesOf(page)
  await page.getByRole('button', { name: clientWords.dismiss }).click()
  expect(await boxesOf(page)).toEqual(beforeDismissal)
})

test.each([360, 768, 1280])(
  'in a window %d pixels wide a toast covers no control, not even the bell or the open account menu',
  async (width) => {
    const viewport = { width, height: 640 }
    const { page, app } = await serveWithProfile(chromium(), { viewport, reducedMotion: 'reduce' })
    await keepToasts(page)
    await registerVerified(app, page, ann)
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: buttons.save }).click()
    const toast = page.getByRole('status').getByText(flashWords.profileSaved)
    await toast.waitFor()
    await expect.poll(() => coveredControls(page)).toEqual([])
    const menu = page.locator('.menu summary')
    // By keyboard: a click would wait until no toast covers it.
    await menu.press('Enter')
    await page.getByRole('button', { name: buttons.logOut }).waitFor()
    await expect.poll(() => coveredControls(page)).toEqual([])
    expect(await toast.isVisible()).toBe(true)
  },
)

test('on a phone a lasting toast covers no control of an opened dialog, and none of the page afterwards', async () => {
  const viewport = { width: 360, height: 640 }
  const allowed = /status of 502/
  const { page, app } = await serveWithProfile(chromium(), {
    viewport,
    reducedMotion: 'reduce',
    allowed,
  })
  await registerVerified(app, page, ann)
  await page.goto('/settings/profile')
  await page.route('**/settings/profile', (route) => route.fulfill({ status: 502 }))
  await page.getByRole('button', { name: buttons.save }).click()
  await page.locator('.toast').getByText(clientWords.notAPage).waitFor()
  const opener = page.getByRole('button', { name: buttons.deleteAccount })
  for (const share of [0.2, 0.5, 0.8]) {
    await opener.evaluate((element, share) => {
      const { top } = element.getBoundingClientRect()
      scrollBy({ top: top - innerHeight * share, behavior: 'instant' })
    }, share)
    await expect.poll(() => coveredControls(page)).toEqual([])
    await opener.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await coveredControls(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await coveredControls(page)).toEqual([])
  }
})

test('on a phone the toast about new recovery codes does not cover them', async () => {
  const viewport = { width: 375, height: 740 }
  const { page, app } = await serveWithProfile(chromium(), { viewport, reducedMotion: 'reduce' })
  await keepToasts(page)
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  const secret = await page.locator('#secret').getAttribute('data-text')
  await page.getByLabel(labels.code).fill(codeAt(secret ?? '', new Date()))
  await page.locator('#recovery-codes').waitFor()
  await page.locator('.toast').first().waitFor()
  await expect.poll(() => isClearOfToasts(page, '#recovery-codes')).toBe(true)
})

test('on a phone a toast lies above the email field, even after a dialog, and above a page’s heading', async () => {
  const viewport = { width: 360, height: 640 }
  const { page, app } = await serveWithProfile(chromium(), { viewport, allowed: /status of 502/ })
  await registerVerified(app, page, ann)
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  // The click may have been held back until its script was loaded.
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('summary', { hasText: layout.account }).click()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('link', { name: buttons.logIn }).first().click()
  await page.getByLabel(labels.email).waitFor()
  await page.route('**/login', (route) => route.fulfill({ status: 502 }))
  await page.getByRole('button', { name: buttons.logIn, exact: true }).click()
  const errorToast = page.locator('.toast').getByText(clientWords.notAPage)
  await errorToast.waitFor()
  expect(await isAbove(errorToast, page.getByLabel(labels.email))).toBe(true)
  await page.unrouteAll()
  await logIn(page, ann)
  await page.waitForURL('**/dashboard')
  await keepToasts(page)
  // Without the client, so that the next page is a document. Until then the toast of the last logout may
  // stay.
  const loaded = page.waitForEvent('load')
  await page.locator('form[action="/logout"]').evaluate((form: HTMLFormElement) => form.submit())
  await loaded
  const toast = page.locator('.toast').getByText(flashWords.loggedOut)
  await toast.waitFor()
  expect(await isAbove(toast, page.getByRole('heading', { level: 1 }))).toBe(true)
})

test('a printed page is light, and a user’s printed page has no toasts and no navigation', async () => {
  const { page, app } = await serveWithProfile(chromium(), { colorScheme: 'dark' })
  await keepToasts(page)
  await registerVerified(app, page, ann)
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('status').getByText(flashWords.profileSaved).waitFor()
  await page.emulateMedia({ media: 'print' })
  const navigation = page.locator('.toast, .bell, .menu, .product-pages, .settings > nav')
  expect(await navigation.count()).toBe(5)
  expect(await navigation.filter({ visible: true }).count()).toBe(0)
  await page.goto('/')
  expect(await backgroundOf(page)).toBe(light)
})

test('a toast stays while it is hovered or focused, and an error toast does not disappear by itself', async () => {
  const { page } = await serveWithProfile(chromium(), { allowed: /status of 502/ })
  await register(page, ann)
  await page.clock.install()
  // Otherwise the clock would run on between the steps. The pause must still be ahead of it when it is set.
  await page.clock.pauseAt((await timeIn(page)) + 60_000)
  await page.getByRole('button', { name: buttons.logOut }).click()
  const toast = page.locator('.toast').getByText(flashWords.loggedOut)
  await toast.hover()
  await page.getByRole('button', { name: clientWords.dismiss }).focus()
  await page.clock.runFor(60_000)
  await page.mouse.move(0, 0)
  await page.clock.runFor(60_000)
  expect(await toast.isVisible()).toBe(true)
  // Its eight seconds began anew just now.
  await page.getByRole('link', { name: buttons.logIn }).first().focus()
  await page.clock.runFor(6000)
  expect(await toast.isVisible()).toBe(true)
  await page.clock.runFor(2000)
  await toast.waitFor({ state: 'detached' })
  await page.clock.resume()
  await page.goto('/login')
  await page.route('**/login', (route) => route.fulfill({ status: 502 }))
  await page.getByRole('button', { name: buttons.logIn, exact: true }).click()
  await page.getByText(clientWords.notAPage).waitFor()
  await page.clock.runFor(60_000)
  expect(await page.getByText(clientWords.notAPage).isVisible()).toBe(true)
})

test('a busy button keeps its size, and its text does not change beside the spinner', async () => {
  const { page, app } = await serveWithProfile(chromium(), { reducedMotion: 'reduce' })
  await registerVerified(app, page, ann)
  await page.goto('/settings/profile')
  const button = page.getByRole('button', { name: buttons.save })
  await button.hover()
  const idleLook = [await button.boundingBox(), await pictureOfText(button)]
  const answer = Promise.withResolvers<void>()
  await page.route('**/settings/profile', (route) => answer.promise.then(() => route.continue()))
  await button.click()
  await page.locator('[aria-busy=true]').waitFor()
  expect([await button.boundingBox(), await pictureOfText(button)]).toEqual(idleLook)
  answer.resolve()
  await page.getByRole('status').getByText(flashWords.profileSaved).waitFor()
})

test('without JavaScript the flash stands between the header and the page', async () => {
  const { page } = await serveWithProfile(chromium(), { javaScriptEnabled: false })
  await register(page, ann)
  await page.getByRole('button', { name: buttons.logOut }).click()
  const flash = page.getByText(flashWords.loggedOut)
  await flash.waitFor()
  // Its stylesheets too.
  await page.waitForLoadState()
  expect(await isAbove(page.getByRole('banner'), flash)).toBe(true)
  expect(await isAbove(flash, page.getByRole('main'))).toBe(true)
})

test('the skip link does not cover the header', async () => {
  const { page } = await serveWithProfile(chromium(), { allowed: /status of 404/ })
  await page.goto('/no-such-page')
  await page.keyboard.press('Tab')
  const link = page.getByRole('link', { name: layout.skip })
  expect(await isAbove(link, page.getByRole('banner'))).toBe(true)
})

/** Whether the second begins at the end of the first, or further down. */
async function isAbove(first: Locator, second: Locator): Promise<boolean> {
  const [upper, lower] = [await first.boundingBox(), await second.boundingBox()]
  return upper !== null && lower !== null && upper.y + upper.height <= lower.y
}

/** Returns the controls of which a toast covers the middle or a corner. */
function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('dialog:modal') ?? document
    const controls = [...root.querySelectorAll('a, button, input, label, summary')]
    const shares = [0.1, 0.5, 0.9]
    const isCovered = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return shares.some((across) =>
        shares.some((down) =>
          document.elementFromPoint(x + width * across, y + height * down)?.closest('.toast'),
        ),
      )
    }
    return controls
      .filter((each) => each.checkVisibility() && !each.closest('.toast') && isCovered(each))
      .map((each) => each.outerHTML)
  })
}

/** Returns the positions of the page's elements. */
function boxesOf(page: Page): Promise<object[]> {
  return page
    .locator('#app *')
    .evaluateAll((elements) =>
      elements.map((element) => element.getBoundingClientRect().toJSON() as object),
    )
}

/** Takes a screenshot of an element's text. */
async function pictureOfText(element: Locator): Promise<string> {
  const clip = await element.evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element)
    const { x, y, width, height } = text.getBoundingClientRect()
    return { x, y, width, height }
  })
  return (await element.page().screenshot({ clip })).toString('base64')
}

async function backgroundOf(page: Page): Promise<string> {
  const rgb = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const digits = rgb.matchAll(/\d+/g).map(([value]) => Number(value).toString(16).padStart(2, '0'))
  return `#${[...digits].join('')}`
}

/** Returns the colour of the browser's bar: that of the first element that applies (HTML: theme-color). */
function themeColourOf(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
        ({ media }) => matchMedia(media || 'all').matches,
      )?.content,
  )
}
