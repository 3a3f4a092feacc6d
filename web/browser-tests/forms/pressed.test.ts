import type { Locator, Page, Request, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann, bob } from '../../../internal/testing/people.ts'
import {
  awaitRequests,
  awaitScript,
  awaitIdle,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { paths } from '../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { labels } from '#words/labels'
import { login } from '#words/auth/login'
import { mailSent } from '#words/auth/mail-sent'

const chromium = chromiumOfFile()

test('a long press on a button submits its form even if an error above it disappears meanwhile', async () => {
  const page = await openRegister()
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByText(errorWords.taken).waitFor()
  const check = await leaveEmail(page, bob.email)
  await press(page, page.getByRole('button', { name: buttons.createAccount }))
  await check.answer()
  await page.mouse.up()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
})

test('a long press on a link follows it even if an error above it appears meanwhile', async () => {
  const page = await openRegister()
  const check = await leaveEmail(page, ann.email)
  await press(page, page.getByRole('link', { name: buttons.logIn }).last())
  await check.answer()
  await page.mouse.up()
  await page.getByRole('heading', { name: login.heading }).waitFor()
})

test('a touch on a link follows it even if an error above it appears before the finger is lifted', async () => {
  const page = await openRegister({ hasTouch: true, isMobile: true })
  const check = await leaveEmail(page, ann.email)
  const [x, y] = await middleOf(page.getByRole('link', { name: buttons.logIn }).last())
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await check.answer()
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.getByRole('heading', { name: login.heading }).waitFor()
})

test('an error found while the mouse button is down is displayed when it is released', async () => {
  const page = await openRegister()
  const check = await leaveEmail(page, ann.email)
  await press(page, page.getByRole('heading', { level: 1 }))
  await check.answer()
  expect(await page.getByText(errorWords.taken).count()).toBe(0)
  await page.mouse.up()
  await page.getByText(errorWords.taken).waitFor()
})

test('a field left by pressing the submit button is not checked before the form is submitted', async () => {
  const page = await openRegister({}, (page) => page.clock.install())
  const checks: string[] = []
  page.on('request', (request) => {
    if (checksEmail(request)) checks.push(request.url())
  })
  await emailField(page).fill(bob.email)
  await press(page, page.getByRole('button', { name: buttons.createAccount }))
  await page.clock.runFor(1_000)
  await page.mouse.up()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  expect(checks).toEqual([])
})

test('a field check that failed is repeated when the field is left again', async () => {
  const page = await openRegister({ allowed: /ERR_FAILED/ })
  let failures = 0
  await page.route('/register', (route) =>
    checksEmail(route.request()) && failures++ === 0 ? route.abort() : route.continue(),
  )
  await emailField(page).press('Tab')
  await expect.poll(() => failures).toBe(1)
  await emailField(page).press('Tab')
  await page.getByText(errorWords.taken).waitFor()
})

test('a field left while its form is in flight is not checked, so that the form’s error stays', async () => {
  const scripts: Promise<Response>[] = []
  const page = await openNewPassword(
    async (page) => void scripts.push(page.waitForResponse(/\/validation-/)),
  )
  // It has sent the fields that were left before.
  await Promise.all(scripts.map((script) => awaitScript(page, script)))
  const form = await holdForm(page, paths['user-password.update'])
  await currentPasswordField(page).press('Enter')
  await page.keyboard.press('Tab')
  form.answer()
  await page.getByText(errorWords.wrongPassword).waitFor()
  // A check that waited for the answer would be sent now.
  await awaitIdle(page)
  await awaitRequests(page)
  expect(form.checks).toEqual([])
})

test('a field is not checked when the validation script loads while its form is in flight', async () => {
  const released = Promise.withResolvers<void>()
  const page = await openNewPassword((page) =>
    page.route(/\/validation-/, async (route) => {
      await released.promise
      await route.continue()
    }),
  )
  const form = await holdForm(page, paths['user-password.update'])
  await currentPasswordField(page).press('Enter')
  const scriptResponse = page.waitForResponse(/\/validation-/)
  released.resolve()
  await awaitScript(page, scriptResponse)
  form.answer()
  await page.getByText(errorWords.wrongPassword).waitFor()
  // A check that waited for the answer would be sent now.
  await awaitIdle(page)
  await awaitRequests(page)
  expect(form.checks).toEqual([])
})

test('a field changed while its form is in flight is checked after the response', async () => {
  const page = await openRegister()
  const form = await holdForm(page, paths.register)
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await emailField(page).fill(bob.email)
  await emailField(page).press('Tab')
  form.answer()
  await expect.poll(() => form.checks).toContain('email')
  await page.getByText(errorWords.taken).waitFor({ state: 'detached' })
})

/** Fills in a new password with a wrong current one. */
async function openNewPassword(
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Page> {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await prepare(page)
  await page.goto('/settings/security', { waitUntil: 'domcontentloaded' })
  await page.getByLabel(labels.newPassword, { exact: true }).fill(bob.password)
  await page.getByLabel(labels.confirmPassword).fill(bob.password)
  await currentPasswordField(page).fill('not hers')
  return page
}

/** Holds the answer to a form back, and records which of its fields are validated. */
async function holdForm(
  page: Page,
  address: string,
): Promise<{ readonly checks: readonly string[]; answer(): void }> {
  const released = Promise.withResolvers<void>()
  const checks: string[] = []
  await page.route(address, async (route) => {
    const fields = route.request().headers()['x-page-validate-only']
    if (fields) checks.push(fields)
    else await released.promise
    await route.continue()
  })
  return { checks, answer: () => released.resolve() }
}

function currentPasswordField(page: Page): Locator {
  return page.getByLabel(labels.currentPassword)
}

/** Fills in the register form with Ann's email, which is taken. */
async function openRegister(
  options: Parameters<typeof serveWithProfile>[1] = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Page> {
  const { page, app } = await serveWithProfile(chromium(), options)
  await registerVerified(app, page, ann)
  await page.context().clearCookies()
  await prepare(page)
  const scriptResponse = page.waitForResponse(/\/validation-/)
  await page.goto('/register')
  await awaitScript(page, scriptResponse)
  await page.getByLabel(labels.name).fill(bob.name)
  await page.getByLabel(labels.password, { exact: true }).fill(bob.password)
  await page.getByLabel(labels.confirmPassword).fill(bob.password)
  await emailField(page).fill(ann.email)
  return page
}

/** Types another email and leaves the field by keyboard; `answer` has its validation answered and drawn. */
async function leaveEmail(page: Page, email: string): Promise<{ answer(): Promise<void> }> {
  const released = Promise.withResolvers<void>()
  const responseFetched = Promise.withResolvers<void>()
  await page.route('/register', async (route) => {
    if (!checksEmail(route.request())) return route.continue()
    // Fetched before it is held: a touch of half a second makes no click.
    const response = await route.fetch()
    responseFetched.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  const checkResponse = page.waitForResponse((answer) => checksEmail(answer.request()))
  await emailField(page).fill(email)
  await emailField(page).press('Tab')
  await responseFetched.promise
  return {
    async answer() {
      released.resolve()
      await (await checkResponse).finished()
      await page.evaluate(async () => {
        for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
      })
    },
  }
}

function checksEmail(request: Request): boolean {
  return request.headers()['x-page-validate-only']?.split(',').includes('email') ?? false
}

async function press(page: Page, element: Locator): Promise<void> {
  await page.mouse.move(...(await middleOf(element)))
  await page.mouse.down()
}

async function middleOf(element: Locator): Promise<[x: number, y: number]> {
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  if (!box) throw new Error('It is not drawn.')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

function emailField(page: Page): Locator {
  return page.getByLabel(labels.email)
}
