import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import { registerVerified, serveWithProfile } from '../../../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { errorTitle } from '#words/error'
import { login } from '#words/auth/login'
import { security } from '#words/settings/security'

const chromium = chromiumOfFile()

test('a page restored from the back/forward cache keeps its scroll position and reloads', async () => {
  const { page } = await openSecurity()
  await page.evaluate(() => scrollTo(0, 300))
  await expect.poll(() => page.evaluate(() => history.state.scroll)).toEqual([0, 300])
  const reload = page.waitForRequest((request) => 'x-page-unasked' in request.headers())
  const scrollTop = await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    // Where WebKit restores it.
    scrollTo(0, 0)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return scrollY
  })
  expect(scrollTop).toBe(300)
  await reload
})

test('a reloaded page keeps its scroll position, unless the user has scrolled meanwhile', async () => {
  const { page } = await openSecurity()
  await page.evaluate(() => scrollTo(0, 300))
  await expect.poll(() => page.evaluate(() => history.state.scroll)).toEqual([0, 300])
  const started = page.locator('html[data-started]')
  await page.reload()
  await started.waitFor({ state: 'attached' })
  expect(await page.evaluate(() => scrollY)).toBe(300)
  const released = Promise.withResolvers<void>()
  await page.route(/\.js$/, (route) => released.promise.then(() => route.continue()))
  await page.reload({ waitUntil: 'commit' })
  // Waits for the whole document and its stylesheets: what is not there yet cannot be scrolled to.
  await page.waitForFunction(() => {
    const links = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')
    return document.readyState !== 'loading' && [...links].every(({ sheet }) => sheet)
  })
  await page.evaluate(() => scrollTo(0, 100))
  released.resolve()
  await started.waitFor({ state: 'attached' })
  expect(await page.evaluate(() => scrollY)).toBe(100)
})

test('a page restored from the back/forward cache stays hidden after a logout in another tab', async () => {
  const { page } = await openSecurity()
  await page.context().clearCookies()
  expect(await isShownAgainAfterLogout(page)).toBe(false)
  await page.getByRole('heading', { name: login.heading }).waitFor()
})

test('an open page that cannot be reloaded after a logout in another tab shows an error until it can', async () => {
  const { page } = await openSecurity(/ERR_FAILED/)
  await page.route(/\/(up|settings\/security)$/, (route) => route.abort())
  const otherTab = await page.context().newPage()
  await otherTab.goto('/dashboard')
  await otherTab.locator('summary').click()
  await otherTab.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('heading', { name: errorTitle(0) }).waitFor()
  expect(await page.getByRole('heading', { name: security.heading, exact: true }).count()).toBe(0)
  expect(await page.content()).not.toContain(ann.email)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('heading', { name: login.heading }).waitFor()
})

async function openSecurity(allowed?: RegExp): Promise<{ page: Page }> {
  const { page, app } = await serveWithProfile(chromium(), allowed && { allowed })
  await registerVerified(app, page, ann)
  // The script that reports an unreachable server is loaded before the event stream is requested.
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/security')])
  return { page }
}

/** Whether a page restored by the browser is visible after a logout in another tab. */
function isShownAgainAfterLogout(page: Page): Promise<boolean | undefined> {
  return page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    // Without an event: the page was suspended.
    localStorage.setItem('historyCleared', 'meanwhile')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return document.querySelector('h1')?.checkVisibility()
  })
}
