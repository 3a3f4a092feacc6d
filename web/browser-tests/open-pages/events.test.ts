import type { Page, Request, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { silentProxy } from '../../../internal/testing/network/silent-proxy.ts'
import {
  requiredSettings,
  serve,
  type Served,
} from '../../../internal/testing/processes/executable.ts'
import { ann } from '../../../internal/testing/people.ts'
import { allBroadcasts } from '../../../internal/testing/database/broadcast-rows.ts'
import { deleteLogins } from '../../../internal/testing/database/rows.ts'
import {
  awaitLive,
  awaitRequests,
  keepToasts,
  logIn,
  openProfile,
  register,
  registerVerified,
  setVisible,
  timeIn,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { publishEvent } from '../../../internal/testing/processes/publish-event.ts'
import { followLink, goTo, openSettings } from '../../../internal/testing/chromium/open-settings.ts'
import { buttons } from '#words/buttons'
import { clientWords } from '#words/client/client'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { login } from '#words/auth/login'
import { dashboard } from '#words/dashboard'
import { layout } from '#words/layout'
import { notifications } from '#words/notifications'
import { profile as profileWords } from '#words/settings/profile'
import { settings } from '#words/settings/settings'

const chromium = chromiumOfFile()

test('the bell counts a new notification at once', async () => {
  const { page, app } = await openDashboard()
  await publishEvent(app, 'notification')
  await awaitBellCount(page, '1')
  await publishEvent(app, 'notification')
  await awaitBellCount(page, '2')
})

test('reading the notifications in one window clears the bells of other windows and browsers', async () => {
  const { page, app, context } = await openDashboard()
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto('/login')
  await logIn(otherBrowser.page, ann)
  await publishEvent(app, 'notification')
  // The login in the other browser, a new one, is a notification too.
  await Promise.all([awaitBellCount(page, '2'), awaitBellCount(otherBrowser.page, '2')])
  await (await context.newPage()).goto('/notifications')
  const bells = [page, otherBrowser.page].map((each) =>
    each.getByRole('link', { name: layout.notifications, exact: true }),
  )
  await Promise.all(bells.map((bell) => bell.waitFor()))
})

test('two windows showing the notifications do not keep reloading each other', async () => {
  const { page, app, context } = await openDashboard()
  const otherTab = await context.newPage()
  await Promise.all([openNotifications(app, page), openNotifications(app, otherTab)])
  const reloads = [page, otherTab].map(recordReloads)
  await publishEvent(app, 'notification')
  await expect.poll(() => reloads.map(({ length }) => length)).toEqual([2, 2])
  const db = await openDatabase(app.database)
  expect(await allBroadcasts(db)).toHaveLength(2)
  await db.close()
})

test('a notification arriving on the notifications page is displayed at once, and earlier dots stay', async () => {
  const { page, app } = await openDashboard()
  await page.locator('.bell').click()
  await page.getByRole('heading', { name: notifications.heading }).waitFor()
  const dots = page.getByText(notifications.isNew, { exact: true })
  await publishEvent(app, 'notification')
  await expect.poll(() => dots.count()).toBe(1)
  await publishEvent(app, 'notification')
  await expect.poll(() => dots.count()).toBe(2)
})

test('an event between the page’s response and the opening of its event stream is not missed', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  // Not while the stream is being opened: if that took seconds, the page would reload for that reason too.
  await page.route(/\/live-\w+\.js$/, async (route) => {
    await publishEvent(app, 'notification')
    await route.continue()
  })
  const reloads: Request[] = []
  page.on('request', (request) => void (isReload(request) && reloads.push(request)))
  await page.goto('/dashboard')
  await awaitBellCount(page, '1')
  await awaitRequests(page)
  expect(reloads.length).toBe(1)
})

test('a page reloads if its event stream took several seconds to open', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.clock.install()
  await page.route('**/broadcasts*', async (route) => {
    await page.clock.fastForward(6_000)
    await route.continue()
  })
  const reload = page.waitForRequest(isReload)
  await page.goto('/dashboard')
  await reload
})

test('a page reloads if the computer slept for seconds while its event stream opened', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.clock.install()
  await page.route('**/broadcasts*', async (route) => {
    await sleepFor(page, 20_000)
    await route.continue()
  })
  const reload = page.waitForRequest(isReload)
  await page.goto('/dashboard')
  await reload
})

test('a page that was hidden since it loaded reloads if the computer slept before it is shown', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.clock.install()
  await page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  })
  await page.goto('/dashboard')
  await awaitLive(page)
  await sleepFor(page, 10 * 60_000)
  const reload = page.waitForRequest(isReload)
  await setVisible(page, true)
  await reload
})

test('the age of a page that was hidden since it loaded does not count from a request for something else', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  })
  await page.goto('/dashboard')
  await awaitLive(page)
  const loadedFor = await page.evaluate(() => performance.now())
  const asked = page.waitForResponse('**/up')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await (await asked).finished()
  const stream = page.waitForRequest(isStream)
  await setVisible(page, true)
  const { searchParams } = new URL((await stream).url())
  expect(Number(searchParams.get('age'))).toBeGreaterThanOrEqual(loadedFor)
})

test('the profile shows the email as verified when the link is followed in another browser', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await register(page, ann)
  const streamOpens = awaitStream(page, `${app.origin}/settings/profile`)
  await page.goto('/settings/profile')
  await streamOpens
  await page.getByText(profileWords.notVerified(ann.email)).waitFor()
  const name = page.getByRole('textbox', { name: labels.name })
  await name.fill('Ann the second')
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto(await verificationLink(app))
  await page.getByText(profileWords.verified(ann.email)).waitFor()
  expect(await name.inputValue()).toBe('Ann the second')
})

test('the verify page moves on when the link is followed in another browser', async () => {
  const { page, app } = await serveWithProfile(chromium())
  const streamOpens = awaitStream(page)
  await register(page, ann)
  await streamOpens
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto(await verificationLink(app))
  await page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

test('typed text, errors and the focus survive a reload caused by an event', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  const streamOpens = awaitStream(page, `${app.origin}/settings/profile`)
  await page.goto('/settings/profile')
  await streamOpens
  const name = page.getByRole('textbox', { name: labels.name })
  await name.fill('')
  await page.getByRole('textbox', { name: labels.email }).fill('anna@')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByText(errorWords.email).waitFor()
  await name.fill('Anna Bell')
  await publishEvent(app, 'notification')
  await awaitBellCount(page, '1')
  expect(await name.inputValue()).toBe('Anna Bell')
  expect(await page.getByRole('textbox', { name: labels.email }).inputValue()).toBe('anna@')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('name')
  expect(await page.getByText(errorWords.email).isVisible()).toBe(true)
})

test('several tabs receive an event, each over an event stream of its own', async () => {
  const { page, app, context } = await openDashboard()
  const otherTab = await context.newPage()
  const streams = recordStreams(otherTab)
  const streamOpens = awaitStream(otherTab)
  await otherTab.goto('/dashboard')
  await streamOpens
  await otherTab.goto('/dashboard?again')
  await otherTab.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  await publishEvent(app, 'notification')
  await Promise.all([awaitBellCount(page, '1'), awaitBellCount(otherTab, '1')])
  expect(streams.length).toBe(2)
})

test('a hidden tab closes its event stream, and reloads when it is visible again', async () => {
  const { page, app } = await openDashboard()
  const streamCloses = page.waitForEvent('requestfailed', isStream)
  await setVisible(page, false)
  await streamCloses
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await publishEvent(app, 'notification')
  await awaitRequests(page)
  expect(requests).toEqual(['/up'])
  await setVisible(page, true)
  await awaitBellCount(page, '1')
})

test('after a restart of the server the page reconnects and shows what it missed', async () => {
  const settings = await requiredSettings()
  const app = await serve({ settings })
  const { page } = await openProfile(chromium(), app, { allowed: /ERR_/ })
  await registerOnDashboard(app, page)
  await app.stop()
  await publishEvent(app, 'notification')
  const streamOpens = awaitStream(page)
  await serve({ folder: app.folder, settings })
  await streamOpens
  await awaitBellCount(page, '1')
})

test('an event stream that ends at once is reopened at growing intervals', async () => {
  const { page, app, context } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  // Pauses after the first, in which the browser reconnects by itself: 6 and 12 seconds.
  await waitLongest(page)
  const requestTimes: number[] = []
  await context.route('**/broadcasts*', async (route) => {
    requestTimes.push(await timeIn(page))
    await (requestTimes.length < 4
      ? route.fulfill({ contentType: 'text/event-stream', body: 'retry: 1\n\n' })
      : route.continue())
  })
  // The earlier ones are answered before that.
  const streamOpens = page.waitForResponse(
    (answer) => isStream(answer.request()) && requestTimes.length === 4,
  )
  await page.goto('/dashboard')
  await advanceUntil(page, () => requestTimes.length === 4)
  await streamOpens
  const [, second = 0, third = 0] = pausesOf(requestTimes)
  expect([second > 5_900, third > 11_900]).toEqual([true, true])
  expect([second < 16_000, third < 26_000]).toEqual([true, true])
  await publishEvent(app, 'notification')
  await awaitBellCount(page, '1')
})

test('behind a proxy that answers 503, the page retries at least once a minute while the server is down', async () => {
  const { page, context, app } = await serveWithProfile(chromium(), {
    allowed: /status of 503|net::ERR_/,
  })
  await registerVerified(app, page, ann)
  // Pauses of 3, 6, 12 and 24 seconds, then 45.
  await waitLongest(page)
  await Promise.all([awaitStream(page), page.goto('/dashboard')])
  const requestTimes: number[] = []
  await context.route(/\/(dashboard|broadcasts|up)\b/, async (route) => {
    if (isStream(route.request())) requestTimes.push(await timeIn(page))
    await route.fulfill({ status: 503, body: 'no server' })
  })
  await app.stop()
  await advanceUntil(page, () => requestTimes.length === 8)
  expect(pausesOf(requestTimes).filter((pause) => pause > 60_000)).toEqual([])
  expect(pausesOf(requestTimes).filter((pause) => pause > 40_000)).not.toEqual([])
})

test('a page refused with 429 retries at growing intervals, and then receives events', async () => {
  const { page, app, context } = await serveWithProfile(chromium(), { allowed: /status of 429/ })
  await registerVerified(app, page, ann)
  // Pauses of 3, 6 and 12 seconds.
  await waitLongest(page)
  const requestTimes: number[] = []
  // The route stays: on removal of the last one Chromium may cut an answer short, and the page then reloads.
  await context.route('**/broadcasts*', async (route) => {
    requestTimes.push(await timeIn(page))
    await (requestTimes.length < 4 ? route.fulfill({ status: 429 }) : route.continue())
  })
  const streamOpens = awaitStream(page)
  await page.goto('/dashboard')
  await advanceUntil(page, () => requestTimes.length === 4)
  await streamOpens
  const [first = 0, second = 0, third = 0] = pausesOf(requestTimes)
  expect([first > 2_900, second > 5_900, third > 11_900]).toEqual([true, true, true])
  expect([first < 12_000, second < 16_000, third < 26_000]).toEqual([true, true, true])
  await publishEvent(app, 'notification')
  await awaitBellCount(page, '1')
})

test('a page whose login has ended goes to the login page when it reconnects, without its own toast', async () => {
  const { page, app } = await openDashboard({ allowed: /status of 401|ERR_/ })
  const streamOpens = awaitStream(page)
  await page.goto('/forgot-password')
  await page.getByRole('alert').getByText(flashWords.askLoggedIn).waitFor()
  await streamOpens
  const db = await openDatabase(app.database)
  await deleteLogins(db)
  await db.close()
  await setVisible(page, false)
  await setVisible(page, true)
  await page.getByRole('heading', { name: login.heading }).waitFor()
  const alert = page.getByRole('alert')
  await alert.getByText(flashWords.loginEnded.noDraft).waitFor()
  expect(await alert.getByText(flashWords.askLoggedIn).count()).toBe(0)
})

test('a flash appears once, in the tab it is for, even if an event arrives in between', async () => {
  const { page, app, context } = await serveWithProfile(chromium())
  await keepToasts(page)
  await register(page, ann)
  const otherTab = await context.newPage()
  const streamOpens = awaitStream(otherTab)
  await otherTab.goto('/verify-email')
  await streamOpens
  const eventHandled = Promise.withResolvers<void>()
  const reload = otherTab.waitForResponse((answer) => isReload(answer.request()))
  await page.route('**/verify-email', async (route) => {
    // Between the redirect, which sets the flash, and the page that shows it.
    const answer = await route.fetch({ maxRedirects: 0 })
    if (answer.status() !== 303) return route.fulfill({ response: answer })
    await publishEvent(app, 'verified')
    await reload
    eventHandled.resolve()
    await route.fulfill({ response: answer })
  })
  await page.getByRole('button', { name: buttons.resend }).click()
  await eventHandled.promise
  await page.getByRole('status').getByText(flashWords.linkSent).waitFor()
  expect(await countToasts(page, flashWords.linkSent)).toBe(1)
  expect(await countToasts(otherTab, flashWords.linkSent)).toBe(0)
})

test('an event that arrives while a form is in flight waits for the form’s answer', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await keepToasts(page)
  const streamOpens = awaitStream(page)
  await register(page, ann)
  await streamOpens
  const requests: string[] = []
  // Scripts of the page may still be loading.
  const recordStage = (request: Request, stage: string) => {
    if (new URL(request.url()).pathname === '/verify-email') requests.push(stage)
  }
  page.on('request', (request) => recordStage(request, request.method()))
  page.on('response', (answer) => recordStage(answer.request(), String(answer.status())))
  await page.route('**/verify-email', async (route) => {
    if (route.request().method() === 'POST') await publishEvent(app, 'verified')
    await route.continue()
  })
  const reload = page.waitForRequest(isReload)
  await page.getByRole('button', { name: buttons.resend }).click()
  await reload
  await page.getByRole('status').getByText(flashWords.linkSent).waitFor()
  expect(requests.slice(0, 4)).toEqual(['POST', '303', 'GET', '200'])
  expect(await countToasts(page, flashWords.linkSent)).toBe(1)
})

test('an event is not lost when the user follows a link and goes back during the reload', async () => {
  const { page, app } = await openSettings(chromium(), '/settings/profile')
  await followLink(page, settings.tokens)
  const requestedPaths = await holdPages(page, 2)
  await publishEvent(app, 'notification')
  await expect.poll(() => requestedPaths).toEqual(['/settings/tokens'])
  await page.getByRole('link', { name: settings.appearance }).click()
  await expect.poll(() => requestedPaths.length).toBe(2)
  await goTo(page, 'back', settings.profile)
  await awaitBellCount(page, '1')
  expect(requestedPaths.slice(1)).toEqual(['/settings/appearance', '/settings/profile'])
})

test('an event is not lost when the user goes to another part of the page during the reload', async () => {
  const { page, app } = await openSettings(chromium(), '/settings/profile')
  const requestedPaths = await holdPages(page, 1)
  await publishEvent(app, 'notification')
  await expect.poll(() => requestedPaths.length).toBe(1)
  await page.getByRole('link', { name: layout.skip }).press('Enter')
  await awaitBellCount(page, '1')
})

test('going back reloads a page that was displayed before an event, but not one displayed after it', async () => {
  const { page, app } = await openSettings(chromium(), '/settings/profile')
  await followLink(page, settings.tokens)
  await publishEvent(app, 'notification')
  await awaitBellCount(page, '1')
  await followLink(page, settings.appearance)
  const requestedPaths = await holdPages(page, 0)
  await goTo(page, 'back', settings.tokens)
  await awaitBellCount(page, '1')
  await goTo(page, 'back', settings.profile)
  await awaitBellCount(page, '1')
  await goTo(page, 'forward', settings.tokens)
  await awaitRequests(page)
  await goTo(page, 'back', settings.profile)
  await awaitRequests(page)
  expect(requestedPaths).toEqual(['/settings/profile'])
})

test('going back after a saved form reloads the page displayed before it, but not the one after it', async () => {
  const { page } = await openSettings(chromium(), '/settings/appearance')
  await followLink(page, settings.profile)
  await page.getByLabel(labels.name, { exact: true }).fill('Ann of the Hill')
  await page.getByRole('button', { name: buttons.save }).click()
  const withNewName = page.locator('summary', { hasText: 'Ann of the Hill' })
  await withNewName.waitFor()
  await followLink(page, settings.tokens)
  const reloads: string[] = []
  page.on('request', (request) => {
    if ('x-page-unasked' in request.headers()) reloads.push(new URL(request.url()).pathname)
  })
  await goTo(page, 'back', settings.profile)
  await goTo(page, 'back', settings.appearance)
  await withNewName.waitFor()
  expect(reloads).toEqual(['/settings/appearance'])
})

test('going back after a saved form reloads the page displayed before the clock was set back', async () => {
  const { page } = await openSettings(chromium(), '/settings/appearance')
  await page.clock.install()
  await followLink(page, settings.tokens)
  await followLink(page, settings.profile)
  // The current page reloads, since the stream may be dead.
  const reload = page.waitForResponse((answer) => isReload(answer.request()))
  await page.clock.setSystemTime((await timeIn(page)) - 60 * 60_000)
  await page.clock.runFor(5_000)
  await reload
  await awaitRequests(page)
  await page.getByLabel(labels.name, { exact: true }).fill('Ann of the Hill')
  await page.getByRole('button', { name: buttons.save }).click()
  const withNewName = page.locator('summary', { hasText: 'Ann of the Hill' })
  await withNewName.waitFor()
  await goTo(page, 'back', settings.tokens)
  await withNewName.waitFor()
})

test('after an event and a clock set back, a page reloads no more than once', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await page.clock.install()
  await registerOnDashboard(app, page)
  await publishEvent(app, 'notification')
  await awaitBellCount(page, '1')
  await page.clock.setSystemTime((await timeIn(page)) - 60 * 60_000)
  const reloads = recordReloads(page)
  await page.getByRole('link', { name: dashboard.profile }).click()
  await page.getByLabel(labels.name, { exact: true }).waitFor()
  await awaitRequests(page)
  await awaitRequests(page)
  expect(reloads.length).toBeLessThanOrEqual(1)
})

test('a failed reload after an event leaves the page unchanged, without a toast', async () => {
  const { page, app, context } = await openDashboard({ allowed: /status of 50/ })
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url())
  })
  const statuses = [502, 503]
  await context.route('**/dashboard', async (route) => {
    const status = statuses.shift()
    await (status ? route.fulfill({ status, body: 'Bad gateway' }) : route.continue())
  })
  for (const status of [502, 503]) {
    const failedResponse = page.waitForResponse((answer) => answer.status() === status)
    await publishEvent(app, 'notification')
    await failedResponse
  }
  await publishEvent(app, 'notification')
  await awaitBellCount(page, '3')
  expect([documents, await page.locator('#toasts').textContent()]).toEqual([[], ''])
})

test('an event during a reload that is never answered causes another reload after 30 seconds', async () => {
  const { page, app, context } = await serveWithProfile(chromium(), { allowed: /ERR_/ })
  await page.clock.install()
  await registerOnDashboard(app, page)
  // From here on only the test advances the clock: the steps between may take seconds on a busy machine.
  await page.clock.pauseAt((await timeIn(page)) + 30_000)
  let requestCount = 0
  await context.route('**/dashboard', (route) =>
    requestCount++ === 0 ? undefined : route.continue(),
  )
  await publishEvent(app, 'notification')
  await expect.poll(() => requestCount).toBe(1)
  const { received } = await nextEvent(page)
  await publishEvent(app, 'notification')
  await received
  await page.clock.runFor(29_000)
  await awaitRequests(page)
  expect(requestCount).toBe(1)
  await page.clock.fastForward(1_000)
  await awaitBellCount(page, '2')
})

test('a reload that fails, breaks off or is never answered is retried without another event', async () => {
  const { page, app } = await serveWithProfile(chromium(), { allowed: /status of 502|ERR_/ })
  await registerVerified(app, page, ann)
  await page.clock.install()
  await openNotifications(app, page)
  const dots = page.getByText(notifications.isNew, { exact: true })
  const failures: ((route: Route) => Promise<void>)[] = [
    (route) => route.fulfill({ status: 502, body: 'Bad gateway' }),
    (route) => route.abort('connectionreset'),
    () => page.clock.fastForward(30_000),
  ]
  await page.route('**/notifications', (route) => {
    const fail = isReload(route.request()) ? failures.shift() : undefined
    return fail ? fail(route) : route.continue()
  })
  for (const count of [1, 2, 3]) {
    await publishEvent(app, 'notification')
    await expect.poll(() => dots.count()).toBe(count)
  }
  expect(failures).toEqual([])
})

test('failed reloads are retried at growing intervals, and soon once the server is back', async () => {
  const { page, app } = await serveWithProfile(chromium(), { allowed: /status of 502|ERR_FAILED/ })
  await registerVerified(app, page, ann)
  // Pauses of 3, 6, 12 and 24 seconds, then 45.
  await waitLongest(page)
  await openNotifications(app, page)
  const requestTimes: number[] = []
  await page.route('**/notifications', async (route) => {
    requestTimes.push(await timeIn(page))
    await route.fulfill({ status: 502, body: 'Bad gateway' })
  })
  await publishEvent(app, 'notification')
  await advanceUntil(page, () => requestTimes.length === 6)
  const [first = 0, second = 0, third = 0, fourth = 0] = pausesOf(requestTimes)
  expect([first > 2_900, second > 5_900, third > 11_900, fourth > 23_900]).toEqual(
    Array(4).fill(true),
  )
  await page.route(/\/(dashboard|up)$/, (route) => route.abort())
  await page.locator('.brand').click()
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const returnedAt = await timeIn(page)
  await page.getByText(notifications.isNew, { exact: true }).waitFor()
  expect((await timeIn(page)) - returnedAt).toBeLessThan(10_000)
})

test('an event stream that outlives the server’s limit is reopened, and the page reloads', async () => {
  const { page, app, silence } = await openThroughSilentProxy()
  const streams = recordStreams(page)
  // From here on only the test advances the clock, by no more than the new stream may take to open.
  await page.clock.pauseAt((await timeIn(page)) + 30_000)
  silence(/GET \/broadcasts/)
  await publishEvent(app, 'notification')
  await page.clock.runFor(14.5 * 60_000)
  await awaitRequests(page)
  expect(streams.length).toBe(0)
  await page.clock.runFor(75_000)
  await awaitBellCount(page, '1')
  expect(streams.length).toBe(1)
})

test('a page whose event stream is dead reloads when the computer wakes from sleep', async () => {
  const { page, app, silence } = await openThroughSilentProxy()
  silence(/GET \/broadcasts/)
  await publishEvent(app, 'notification')
  await page.clock.fastForward(2 * 60_000)
  await awaitBellCount(page, '1')
})

test('a request for the event stream that is never answered is repeated after a minute', async () => {
  const { page, app } = await serveWithProfile(chromium(), { allowed: /ERR_/ })
  await registerVerified(app, page, ann)
  await page.clock.install()
  let requestCount = 0
  await page.route('**/broadcasts*', (route) =>
    requestCount++ === 0 ? undefined : route.continue(),
  )
  await page.goto('/dashboard')
  await expect.poll(() => requestCount).toBe(1)
  // From here on only the test advances the clock.
  await page.clock.pauseAt((await timeIn(page)) + 10_000)
  await publishEvent(app, 'notification')
  await page.clock.runFor(40_000)
  await awaitRequests(page)
  expect(requestCount).toBe(1)
  await page.clock.runFor(20_000)
  await awaitBellCount(page, '1')
})

test('a field check that is never answered delays a reload by no more than ten seconds', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await page.clock.install()
  await registerOnDashboard(app, page)
  await page.goto('/settings/profile')
  const checkRequest = page.waitForRequest((request) => 'x-page-validate-only' in request.headers())
  await page.route('**/settings/profile', (route) =>
    'x-page-validate-only' in route.request().headers() ? undefined : route.fallback(),
  )
  await page.getByLabel(labels.name).fill('Ann Other')
  await page.getByLabel(labels.email).focus()
  await checkRequest
  await publishEvent(app, 'notification')
  await page.clock.fastForward(10_000)
  await awaitBellCount(page, '1')
})

test('the login page opens no event stream and does not load the script for it', async () => {
  const { page } = await serveWithProfile(chromium())
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  await page.goto('/login', { waitUntil: 'networkidle' })
  expect(requestedUrls.filter((url) => /broadcasts|live/.test(url))).toEqual([])
  await register(page, ann)
  await expect.poll(() => requestedUrls.filter((url) => /broadcasts|live/.test(url)).length).toBe(2)
})

test('logging out closes the event stream', async () => {
  const { page } = await serveWithProfile(chromium())
  const streamOpens = awaitStream(page)
  await register(page, ann)
  await streamOpens
  const streamCloses = page.waitForEvent('requestfailed', isStream)
  await page.getByRole('button', { name: buttons.logOut }).click()
  await streamCloses
})

/** Opens a page with the bell, and its event stream. */
async function openDashboard(options: Parameters<typeof serveWithProfile>[1] = {}) {
  const profile = await serveWithProfile(chromium(), options)
  await registerOnDashboard(profile.app, profile.page)
  return profile
}

/** Does the same over a connection that can fall silent, with a running clock that the test can advance. */
async function openThroughSilentProxy() {
  const { settings, silence } = await silentProxy()
  const profile = await serveWithProfile(chromium(), { settings })
  await profile.page.clock.install()
  await registerOnDashboard(profile.app, profile.page)
  return { ...profile, silence }
}

async function openNotifications(app: Served, page: Page): Promise<void> {
  const streamOpens = awaitStream(page, `${app.origin}/notifications`)
  await page.goto('/notifications')
  await streamOpens
}

async function registerOnDashboard(app: Served, page: Page): Promise<void> {
  await registerVerified(app, page, ann)
  // The previous page listens too, and may not have its answer yet.
  const streamOpens = awaitStream(page, `${app.origin}/dashboard`)
  await page.goto('/dashboard')
  await streamOpens
}

/** Makes later pages choose the longest pauses, by a running clock that the test can advance. */
async function waitLongest(page: Page): Promise<void> {
  await page.clock.install()
  await page.addInitScript(() => {
    Math.random = () => 0.999
  })
}

/** Makes the time of day go on as in a computer's sleep: timers and `performance.now()` stand still meanwhile. */
async function sleepFor(page: Page, milliseconds: number): Promise<void> {
  await page.clock.setSystemTime((await timeIn(page)) + milliseconds)
}

/** Advances a page's clock until a condition holds, no faster than the page gets its answers. */
async function advanceUntil(page: Page, isReached: () => boolean): Promise<void> {
  while (!isReached()) {
    await page.clock.runFor(500)
    await awaitRequests(page)
  }
}

/** Returns the milliseconds from each time to the next one. */
function pausesOf(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? NaN))
}

/** Returns the link in the mail to a new account; without a mail server mails are in the log. */
async function verificationLink(app: Served): Promise<string> {
  const link = () => {
    const lines = app.lines.map(({ message }) => message).join('\n')
    return /http:\S+\/verify-email\/\S+/.exec(lines)?.[0] ?? ''
  }
  await expect.poll(link).not.toBe('')
  return link()
}

/** Waits for the page's event stream; `from`: the page's URL, if the previous page listens too. */
async function awaitStream(page: Page, referrer?: string): Promise<void> {
  await page.waitForResponse((answer) => {
    const request = answer.request()
    if (!isStream(request) || answer.status() !== 200) return false
    return referrer === undefined || request.headers()['referer'] === referrer
  })
}

/** Starts to wait for the next event that a page receives. */
async function nextEvent(page: Page): Promise<{ readonly received: Promise<unknown> }> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  const received = new Promise((resolve) =>
    devTools.once('Network.eventSourceMessageReceived', resolve),
  )
  return { received }
}

function isStream(request: Request): boolean {
  return new URL(request.url()).pathname === '/broadcasts'
}

function isReload(request: Request): boolean {
  return 'x-page-unasked' in request.headers()
}

/** Records each requested settings page; the first `unanswered` ones get no answer. */
async function holdPages(page: Page, unanswered: number): Promise<string[]> {
  const requestedPaths: string[] = []
  await page.route('**/settings/*', (route) => {
    requestedPaths.push(new URL(route.request().url()).pathname)
    return requestedPaths.length > unanswered ? route.continue() : undefined
  })
  return requestedPaths
}

/** Records the answered reloads of a page. */
function recordReloads(page: Page): Request[] {
  const reloads: Request[] = []
  page.on('requestfinished', (request) => void (isReload(request) && reloads.push(request)))
  return reloads
}

function recordStreams(page: Page): Request[] {
  const streams: Request[] = []
  page.on('request', (request) => void (isStream(request) && streams.push(request)))
  return streams
}

async function awaitBellCount(page: Page, count: string): Promise<void> {
  await page.locator('.bell .count').getByText(count, { exact: true }).waitFor()
}

function countToasts(page: Page, text: string): Promise<number> {
  return page.locator('#toasts').getByText(text).count()
}
