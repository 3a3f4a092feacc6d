import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  awaitLive,
  logIn,
  type Profile,
  registerVerified,
  timeIn,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { clientWords } from '#words/client/client'
import { dashboard } from '#words/dashboard'
import { errorTitle, tryAgain } from '#words/error'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { offline } from '#words/client/offline'
import { profile as profileWords } from '#words/settings/profile'
import { settings } from '#words/settings/settings'

const chromium = chromiumOfFile()
// Requests made meanwhile, including the page's event stream.
const allowedErrors = { allowed: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 50[23]/ }

test('a notice is displayed while there is no network, and typed text can be submitted afterwards', async () => {
  const { page, context } = await serveLoggedIn()
  // The script that reports it is loaded before the event stream is requested.
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/profile')])
  await page.getByLabel(labels.name).fill('Ann Other')
  await context.setOffline(true)
  const awayNotice = page.getByRole('status').getByText(offline.away)
  await awayNotice.waitFor()
  await page.getByRole('button', { name: buttons.save }).click()
  const notice = page.getByRole('alert').getByText(clientWords.gone)
  await notice.waitFor()
  expect(await awayNotice.count()).toBe(0)
  expect(await page.getByLabel(labels.name).inputValue()).toBe('Ann Other')
  await context.setOffline(false)
  await page.getByRole('status').getByText(offline.back).waitFor()
  expect(await notice.count()).toBe(0)
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('status').getByText(flashWords.profileSaved).waitFor()
})

test('a user whose form had no response but may have been executed is told so and sees the current page', async () => {
  const { page } = await serveLoggedIn()
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/profile')])
  await page.route('**/settings/profile', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch({ maxRedirects: 0 })
    return route.abort()
  })
  await page.getByLabel(labels.name).fill('Ann Other')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('status').getByText(offline.backUnsure).waitFor()
  await page.locator('summary').getByText('Ann Other').waitFor()
})

test('a form in flight as the network goes is reported as one that may have been executed', async () => {
  const { page, context } = await serveLoggedIn()
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/profile')])
  await page.route('**/settings/profile', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch({ maxRedirects: 0 })
    await context.setOffline(true)
    await page.getByRole('status').getByText(offline.away).waitFor()
    return route.abort('internetdisconnected')
  })
  await page.getByLabel(labels.name).fill('Ann Other')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  await context.setOffline(false)
  await page.getByRole('status').getByText(offline.backUnsure).waitFor()
  await page.locator('summary').getByText('Ann Other').waitFor()
})

test('a link that fails is not reported as a form that may have been executed', async () => {
  const { page } = await serveLoggedIn()
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/profile')])
  await page.route(/\/(up|settings\/security)$/, (route) => route.abort())
  await page.getByRole('link', { name: settings.security }).click()
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const backNotice = page.getByRole('status').getByText(offline.back)
  await backNotice.waitFor()
  expect(await backNotice.textContent()).toBe(offline.back)
})

test('a guest who has typed is told when the server is down and when it is back', async () => {
  const { page } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  // The first sign of activity loads the script that reports it.
  const loaded = page.waitForResponse(/\/offline-\w+\.css/)
  await page.getByLabel(labels.email).fill(ann.email)
  await loaded
  await page.route(/\/(login|up)$/, (route) => route.abort())
  await logIn(page, ann)
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('status').getByText(offline.back).waitFor()
  await page.getByRole('button', { name: buttons.logIn, exact: true }).click()
  await page.getByText(errorWords.wrongLogin).waitFor()
})

test('a guest who has only moved the pointer is told when the network is gone and when it is back', async () => {
  const { page, context } = await serveWithProfile(chromium(), allowedErrors)
  await page.goto('/login')
  const loaded = page.waitForResponse(/\/offline-\w+\.css/)
  await page.mouse.move(10, 10)
  await page.mouse.move(20, 20)
  await loaded
  await context.setOffline(true)
  await page.getByRole('status').getByText(offline.away).waitFor()
  await context.setOffline(false)
  await page.getByRole('status').getByText(offline.back).waitFor()
})

test('a request to /up that is never answered is repeated', async () => {
  const { page } = await serveLoggedIn()
  await page.clock.install()
  // The script that reports it is loaded before the event stream is requested.
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/profile')])
  const requestTimes: number[] = []
  await page.route(/\/(settings\/profile|up)$/, async (route) => {
    if (!route.request().url().endsWith('/up')) return route.abort()
    requestTimes.push(await timeIn(page))
    return requestTimes.length === 1 ? undefined : route.continue()
  })
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  await page.clock.fastForward(2_000)
  await expect.poll(() => requestTimes.length).toBe(1)
  await page.clock.fastForward(10_000)
  await page.clock.fastForward(4_000)
  await page.getByRole('status').getByText(offline.back).waitFor()
  const [first = 0, second = 0] = requestTimes
  expect(second - first).toBeGreaterThan(10_000)
})

test('the page of a captive portal is not mistaken for the server', async () => {
  const { page } = await serveLoggedIn()
  await page.clock.install()
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/security')])
  const field = page.getByLabel(labels.currentPassword)
  await field.fill('half a passw')
  let upCount = 0
  await page.route('**', async (route) => {
    const request = route.request()
    if (request.method() === 'POST') return route.abort()
    if (request.url().endsWith('/up')) upCount++
    return route.fulfill({ contentType: 'text/html', body: '<h1>Welcome on board</h1>' })
  })
  await field.press('Enter')
  const alert = page.getByRole('alert').getByText(clientWords.gone)
  await alert.waitFor()
  await page.clock.fastForward(2_000)
  await expect.poll(() => upCount).toBeGreaterThan(0)
  // The next attempt comes after the answer to this one, and a longer pause: on a busy machine maybe by itself.
  await page.clock.fastForward(4_000)
  await expect.poll(() => upCount).toBeGreaterThan(1)
  expect(await alert.count()).toBe(1)
  expect(await field.inputValue()).toBe('half a passw')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.clock.fastForward(8_000)
  await page.getByRole('status').getByText(offline.backUnsure).waitFor()
})

test('a page that fails to load when going back is replaced by an error page until it loads', async () => {
  const { page, context } = await serveLoggedIn()
  await page.goto('/dashboard')
  await page.getByRole('link', { name: dashboard.profile }).click()
  await page.getByLabel(labels.name).waitFor()
  // The script that reports it is running.
  await awaitLive(page)
  await context.setOffline(true)
  await page.getByRole('status').getByText(offline.away).waitFor()
  await page.evaluate(() => {
    // Makes all pages in the history unreadable.
    localStorage.setItem('historyCleared', 'now')
    history.back()
  })
  await page.getByRole('heading', { name: errorTitle(0) }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
  expect(await page.title()).toContain(errorTitle(0))
  await page.getByRole('link', { name: tryAgain }).click()
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  await page.goForward()
  await page.getByRole('heading', { name: profileWords.heading, level: 1 }).waitFor()
})

async function serveLoggedIn(): Promise<Profile> {
  const { app, ...profile } = await serveWithProfile(chromium(), allowedErrors)
  await registerVerified(app, profile.page, ann)
  return profile
}
