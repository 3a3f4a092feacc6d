import { brandName } from '../../brand/brand.ts'
import { appName } from '../../contract/name.ts'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  awaitRequests,
  holdRequests,
  awaitIdle,
  keepToasts,
  logIn,
  openProfile,
  register,
  registerVerified,
  submitsForm,
  timeIn,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { clientWords } from '#words/client/client'
import { login } from '#words/auth/login'
import { register as registerWords } from '#words/auth/register'
import { mailSent } from '#words/auth/mail-sent'
import { dashboard } from '#words/dashboard'
import { home } from '#words/home'
import { layout } from '#words/layout'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'
import type { Page } from 'playwright-core'

const chromium = chromiumOfFile()

/** Registers Ann, who is asked to verify her email, logs out and logs in. */
async function registerAndLogInAgain(page: Page): Promise<void> {
  await register(page, ann)
  await page.getByText(ann.email).waitFor()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await page.getByRole('status').getByText(flashWords.loggedOut).waitFor()
  await page.getByRole('link', { name: buttons.logIn }).first().click()
  await logIn(page, ann)
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
}

test('a user can register, is asked to verify the email, and can log out and log in', async () => {
  const { page } = await serveWithProfile(chromium())
  await registerAndLogInAgain(page)
  expect(new URL(page.url()).pathname).toBe('/verify-email')
})

test('without JavaScript a user can register, log out and log in', async () => {
  const { page } = await serveWithProfile(chromium(), { javaScriptEnabled: false })
  await registerAndLogInAgain(page)
})

test('a failed login preserves the email, shows the error, and focuses an empty password field', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  await logIn(page, { email: ann.email, password: 'not hers' })
  await page.getByText(errorWords.wrongLogin).waitFor()
  const email = page.getByLabel(labels.email)
  expect(await email.inputValue()).toBe(ann.email)
  await expect.poll(() => focusedId(page)).toBe('password')
  expect(await page.getByLabel(labels.password, { exact: true }).inputValue()).toBe('')
  expect(await email.getAttribute('aria-describedby')).toBe('email-error')
})

test('without JavaScript a failed login preserves the email and shows the error', async () => {
  const { page } = await serveWithProfile(chromium(), { javaScriptEnabled: false })
  await page.goto('/login')
  await logIn(page, { email: ann.email, password: 'not hers' })
  await page.getByText(errorWords.wrongLogin).waitFor()
  expect(await page.getByLabel(labels.email).inputValue()).toBe(ann.email)
  expect(await page.getByLabel(labels.password, { exact: true }).inputValue()).toBe('')
  expect(await page.locator('input[autofocus]').getAttribute('name')).toBe('password')
})

test('a taken email is reported when its field loses focus, before the form is submitted', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await register(page, ann)
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto('/register')
  await otherBrowser.page.getByLabel(labels.email).fill(ann.email.toUpperCase())
  await otherBrowser.page.getByLabel(labels.password, { exact: true }).focus()
  await otherBrowser.page.getByText(errorWords.taken).waitFor()
  expect(await otherBrowser.page.getByLabel(labels.email).getAttribute('aria-invalid')).toBe('true')
  // The focus would move a moment after the error is shown.
  await awaitRequests(otherBrowser.page)
  expect(await focusedId(otherBrowser.page)).toBe('password')
  await otherBrowser.page.getByLabel(labels.email).fill('other@example.com')
  await otherBrowser.page.getByLabel(labels.name).focus()
  await otherBrowser.page.getByText(errorWords.taken).waitFor({ state: 'detached' })
})

test('a form with errors preserves what was typed and focuses the first invalid field', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/register')
  await page.getByLabel(labels.name).fill(ann.name)
  await page.getByLabel(labels.email).fill('no email')
  await page.getByLabel(labels.password, { exact: true }).fill('short')
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByText(errorWords.email).waitFor()
  await page.getByText(errorWords.passwordShort).waitFor()
  await expect.poll(() => focusedId(page)).toBe('email')
  expect(await page.getByLabel(labels.name).inputValue()).toBe(ann.name)
  expect(await page.getByLabel(labels.password, { exact: true }).inputValue()).toBe('short')
})

test('a password can be shown, and is hidden again when it is submitted', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  const password = page.getByLabel(labels.password, { exact: true })
  await password.fill('not hers')
  await page.getByRole('button', { name: labels.showPassword, pressed: false }).click()
  // The script for the click may still be loading.
  await expect.poll(() => password.getAttribute('type')).toBe('text')
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByRole('button', { name: buttons.logIn, exact: true }).click()
  await page.getByText(errorWords.wrongLogin).waitFor()
  expect(await password.getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: labels.showPassword, pressed: false }).waitFor()
})

test('back and forward show the pages left before, with their URL and content', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await page.getByText(registerWords.lead).waitFor()
  await expect.poll(() => page.title()).toBe(`Create account · ${brandName}`)
  await page.goBack()
  await page.getByText(login.lead).waitFor()
  expect([await page.title(), new URL(page.url()).pathname]).toEqual([
    `Log in · ${brandName}`,
    '/login',
  ])
  await page.goForward()
  await page.getByText(registerWords.lead).waitFor()
  expect(new URL(page.url()).pathname).toBe('/register')
})

test('a new page is announced, and its heading has the focus', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  await page.getByRole('link', { name: brandName }).click()
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await expect.poll(() => page.locator('#announce').textContent()).toContain(brandName)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(home.heading)
})

test('logging out in one tab clears the others, and Back shows nothing private', async () => {
  const { page, app, context } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  const otherTab = await context.newPage()
  await otherTab.goto('/dashboard')
  await otherTab.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  await page.locator('summary', { hasText: layout.account }).click()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await otherTab.getByRole('heading', { name: login.heading }).waitFor()
  const answer = Promise.withResolvers<void>()
  await page.route('**/dashboard', async (route) => {
    await answer.promise
    await route.continue()
  })
  const pageRequest = page.waitForRequest('**/dashboard')
  await page.goBack()
  await pageRequest
  const htmlAfterBack = await page.content()
  answer.resolve()
  await page.getByRole('heading', { name: login.heading }).waitFor()
  const documents = [htmlAfterBack, await page.content(), await otherTab.content()]
  expect(documents.map((html) => html.includes(ann.email))).toEqual([false, false, false])
})

test('without JavaScript, Back shows nothing private after logging out', async () => {
  const { page } = await serveWithProfile(chromium(), { javaScriptEnabled: false })
  await register(page, ann)
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: login.heading }).waitFor()
  expect(await page.content()).not.toContain(ann.email)
})

test('a page works as without JavaScript when the browser denies it storage', async () => {
  const { page } = await serveWithProfile(chromium(), { allowed: /SecurityError/ })
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await logIn(page, { email: ann.email, password: 'not hers' })
  await page.getByText(errorWords.wrongLogin).waitFor()
  await page.waitForLoadState()
  expect(await page.evaluate(() => Object.keys(document.documentElement.dataset))).toEqual([])
  expect(await page.getByRole('button', { name: labels.showPassword }).count()).toBe(0)
})

test('a guest sent to the login page comes back to the requested page after login', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  const otherBrowser = await openProfile(chromium(), app)
  await otherBrowser.page.goto('/dashboard?from=mail')
  await logIn(otherBrowser.page, ann)
  await otherBrowser.page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  expect(otherBrowser.page.url()).toBe(`${app.origin}/dashboard?from=mail`)
})

test('a user can log out from the confirm page', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/confirm-password')
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('status').getByText(flashWords.loggedOut).waitFor()
})

test('without JavaScript a user can log out from the confirm page', async () => {
  const { page, app } = await serveWithProfile(chromium(), { javaScriptEnabled: false })
  await registerVerified(app, page, ann)
  await page.goto('/confirm-password')
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByText(flashWords.loggedOut).waitFor()
})

test('with remember a login lasts 30 days, and without it two hours', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await register(page, ann)
  const loginHours = async (remember: boolean) => {
    const { page, context } = await openProfile(chromium(), app)
    await page.goto('/login')
    await page.getByLabel(labels.remember).setChecked(remember)
    await logIn(page, ann)
    await page.getByRole('heading', { name: mailSent.heading }).waitFor()
    const cookie = (await context.cookies()).find(({ name }) => name === `${appName}_session`)
    return Math.round(((cookie?.expires ?? 0) * 1000 - Date.now()) / 3_600_000)
  }
  expect([await loginHours(true), await loginHours(false)]).toEqual([30 * 24, 2])
})

test('a flash that arrives with the very first page is displayed as a toast', async () => {
  const { page } = await serveWithProfile(chromium())
  await keepToasts(page)
  await register(page, ann)
  // Sent by the browser itself, so that the answer is a document.
  await page.locator('form[action="/logout"]').evaluate((form: HTMLFormElement) => form.submit())
  const toast = page.getByRole('status').getByText(flashWords.loggedOut)
  await toast.waitFor()
  await page.getByRole('button', { name: clientWords.dismiss }).click()
  await toast.waitFor({ state: 'detached' })
})

test('the toast of a form appears together with the page that the form leads to', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  const released = Promise.withResolvers<void>()
  await page.route(/\/none-/, (route) => released.promise.then(() => route.continue()))
  const scriptRequest = page.waitForRequest(/\/none-/)
  await page.locator('summary', { hasText: layout.account }).click()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await scriptRequest
  const toast = page.getByRole('status').getByText(flashWords.loggedOut)
  expect(await toast.count()).toBe(0)
  released.resolve()
  await toast.waitFor()
  expect(await page.getByRole('heading', { name: home.heading }).count()).toBe(1)
})

test('a link on a page of an older build loads a new document at its target', async () => {
  const { page } = await serveWithProfile(chromium())
  // For the whole test: removing the route after one answer would disable interception while files load.
  await page.route('**/login', async (route) => {
    const answer = await route.fetch()
    const html = await answer.text()
    const olderHtml = html.replace(/"version":"\w+"/, '"version":"older"')
    await route.fulfill({ response: answer, body: olderHtml })
  })
  await page.goto('/login')
  const staleResponse = page.waitForResponse((answer) => answer.status() === 409)
  const loaded = page.waitForEvent('load')
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await Promise.all([staleResponse, loaded])
  await page.getByText(registerWords.lead).waitFor()
  expect(new URL(page.url()).pathname).toBe('/register')
})

test('a network failure is reported in a toast until the next answer, and typed text stays', async () => {
  const { page, context } = await serveWithProfile(chromium(), {
    allowed: /ERR_INTERNET_DISCONNECTED/,
  })
  await page.goto('/login')
  await context.setOffline(true)
  await logIn(page, ann)
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  expect(await page.getByLabel(labels.email).inputValue()).toBe(ann.email)
  await context.setOffline(false)
  await page.getByRole('button', { name: buttons.logIn, exact: true }).click()
  await page.getByText(errorWords.wrongLogin).waitFor()
  expect(await page.getByText(clientWords.gone).count()).toBe(0)
})

test('a response that is not a page is reported in a toast', async () => {
  const { page } = await serveWithProfile(chromium(), { allowed: /status of 502/ })
  await page.goto('/login')
  await page.route('**/login', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  await logIn(page, ann)
  await page.getByRole('alert').getByText(clientWords.notAPage).waitFor()
})

test('a truncated page response is reported in a toast', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  await page.route('**/login', (route) =>
    route.fulfill({ status: 200, headers: { 'X-Page': 'true' }, body: '{"component":"Auth/Lo' }),
  )
  await logIn(page, ann)
  await page.getByRole('alert').getByText(clientWords.notAPage).waitFor()
})

test('a form that is never answered delays a link by no more than ten seconds', async () => {
  const { page, app } = await serveWithProfile(chromium(), { allowed: /ERR_/ })
  await registerVerified(app, page, ann)
  await page.clock.install()
  await page.goto('/settings/profile')
  // From here on only the test advances the clock: the steps between may take seconds on a busy machine.
  await page.clock.pauseAt((await timeIn(page)) + 30_000)
  const formRequest = page.waitForRequest(submitsForm)
  await page.route('**/settings/profile', (route) =>
    route.request().method() === 'POST' ? undefined : route.continue(),
  )
  await page.getByRole('button', { name: buttons.save }).click()
  await formRequest
  let isLeaving = false
  page.on('request', (request) => (isLeaving ||= request.url().endsWith('/settings/security')))
  await page.getByRole('link', { name: settings.security }).first().click()
  await page.clock.fastForward(4_000)
  await awaitRequests(page)
  expect(isLeaving).toBe(false)
  await page.clock.fastForward(6_000)
  await page.waitForURL('/settings/security')
})

test('going back before a page’s scripts have loaded shows the page of the URL', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/forgot-password')
  await page.getByRole('link', { name: buttons.logIn }).first().click()
  const password = page.getByLabel(labels.password, { exact: true })
  await password.waitFor()
  const { isHeld, release } = await holdRequests(page, /\.js$/)
  await page.reload({ waitUntil: 'commit' })
  await isHeld
  await page.evaluate(() => history.back())
  await page.waitForURL('/forgot-password', { waitUntil: 'commit' })
  release()
  const resetButton = page.getByRole('button', { name: buttons.sendResetLink })
  await resetButton.waitFor()
  await page.goForward()
  await password.waitFor()
  await page.goBack()
  await resetButton.waitFor()
  expect(await password.count()).toBe(0)
})

test('a user who goes back while a form is in flight stays there and sees its result', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: dashboard.profile }).click()
  await page.getByLabel(labels.name).fill('Ann Other')
  const answer = Promise.withResolvers<void>()
  await page.route('**/settings/profile', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('button', { name: buttons.save }).click()
  await page.goBack()
  await page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  answer.resolve()
  await page.getByRole('status').getByText(flashWords.profileSaved).waitFor()
  await page.getByRole('heading', { name: dashboard.heading('Ann Other') }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

test('an error is displayed after the user moved to another part of the page during the request', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  const answer = Promise.withResolvers<void>()
  await page.route('**/settings/password', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByLabel(labels.currentPassword).fill('wrong horse')
  await page.getByLabel(labels.newPassword).fill('battery staple')
  await page.getByLabel(labels.confirmPassword).fill('battery staple')
  const formRequest = page.waitForRequest(submitsForm)
  await page.getByRole('button', { name: buttons.save }).click()
  await formRequest
  await page.evaluate(() => (location.hash = '#passkeys'))
  await page.waitForURL('**#passkeys')
  answer.resolve()
  await page.getByText(errorWords.wrongPassword).waitFor()
})

test('a new token is displayed even if the user went back during the request', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await page.getByRole('link', { name: settings.tokens }).first().click()
  // The previous page has a field for a name too.
  await page.getByRole('button', { name: tokens.create }).waitFor()
  await page.getByLabel(labels.name).fill('deploy')
  await page.getByRole('checkbox').first().check()
  const answer = Promise.withResolvers<void>()
  await page.route('**/settings/tokens', async (route) => {
    await answer.promise
    await route.continue()
  })
  const formRequest = page.waitForRequest(submitsForm)
  await page.getByRole('button', { name: tokens.create }).click()
  await formRequest
  await page.goBack()
  await page.getByLabel(labels.currentPassword).waitFor()
  answer.resolve()
  await page.getByText(tokens.made).waitFor()
})

test('a user who goes back while logging out sees nothing private afterwards, not even after Forward', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: dashboard.profile }).click()
  await page.getByLabel(labels.name).waitFor()
  const answer = Promise.withResolvers<void>()
  await page.route('**/logout', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.locator('summary', { hasText: ann.name }).click()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.goBack()
  await page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  answer.resolve()
  await page.getByRole('heading', { name: login.heading }).waitFor()
  const documents = [await page.content()]
  const { isHeld, release } = await holdRequests(page, /\/settings\/profile$/)
  await page.goForward()
  await isHeld
  documents.push(await page.content())
  release()
  expect(documents.map((html) => html.includes(ann.email))).toEqual([false, false])
})

test('an error page with status 503 is requested again when the user comes back to it', async () => {
  const { page } = await serveWithProfile(chromium(), { allowed: /status of 503/ })
  await page.goto('/login')
  let isFirst = true
  await page.route('**/register', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const answer = await route.fetch()
    const goodPage = await answer.json()
    const error = {
      component: 'Error',
      props: { ...goodPage.props, status: 503, message: 'Busy.' },
    }
    await route.fulfill({ response: answer, status: 503, json: { ...goodPage, ...error } })
  })
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await page.getByText('Busy.').waitFor()
  await page.goBack()
  await page.getByText(login.lead).waitFor()
  await page.goForward()
  await page.getByText(registerWords.lead).waitFor()
})

test('a progress bar appears when a page takes longer than 250 ms', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.clock.install()
  await page.goto('/login')
  const answer = Promise.withResolvers<void>()
  await page.route('**/register', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await page.clock.runFor(249)
  const countBefore = await page.locator('#progress.on').count()
  await page.clock.runFor(1)
  const countAfter = await page.locator('#progress.on').count()
  answer.resolve()
  await page.getByText(registerWords.lead).waitFor()
  await page.locator('#progress:not(.on)').waitFor({ state: 'attached' })
  expect([countBefore, countAfter]).toEqual([0, 1])
})

test('a progress bar appears when going back to a page whose script has to load first', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/register')
  await page.getByRole('link', { name: buttons.logIn }).last().click()
  await page.getByText(login.lead).waitFor()
  const released = Promise.withResolvers<void>()
  await page.route(/\/card-/, (route) => released.promise.then(() => route.continue()))
  await page.reload()
  await page.goBack()
  await page.locator('#progress.on').waitFor({ state: 'attached' })
  released.resolve()
  await page.getByText(registerWords.lead).waitFor()
  await page.locator('#progress:not(.on)').waitFor({ state: 'attached' })
})

test('a form in flight is not submitted again', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  let postCount = 0
  const answer = Promise.withResolvers<void>()
  await page.route('**/login', async (route) => {
    postCount += route.request().method() === 'POST' ? 1 : 0
    await answer.promise
    await route.continue()
  })
  await logIn(page, ann)
  await page.getByLabel(labels.email).press('Enter')
  expect(
    await page.getByRole('button', { name: buttons.logIn, exact: true }).getAttribute('aria-busy'),
  ).toBe('true')
  answer.resolve()
  await page.getByText(errorWords.wrongLogin).waitFor()
  // A second request that waited for the first would be sent now.
  await awaitIdle(page)
  await awaitRequests(page)
  expect(postCount).toBe(1)
})

function focusedId(page: { evaluate<Result>(work: () => Result): Promise<Result> }) {
  return page.evaluate(() => document.activeElement?.id)
}
