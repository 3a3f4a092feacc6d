import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Page,
  Request,
  Response,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openDatabase } from '#db/driver'
import { awaitRoutes } from './await-routes.ts'
import { verifyEmails } from '../database/rows.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { mailSent } from '#words/auth/mail-sent'
import { type Person, registration } from '../people.ts'
import { serve, type Served } from '../processes/executable.ts'

interface Options extends BrowserContextOptions {
  /** Console messages that this test allows besides the usual ones. */
  readonly allowed?: RegExp
  /** Settings of the server besides the required ones. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A failed form, an outdated build, and a stream requested as its login ended are no errors. */
const alwaysAllowed = /status of (409|422)|status of 401 .*\/broadcasts/

/** A person's own browser: its windows share cookies, but nothing with other browsers. */
export interface Profile {
  readonly context: BrowserContext
  readonly page: Page
}

/** Starts an executable, and opens a new browser. */
export async function serveWithProfile(
  browser: Browser,
  { settings, ...options }: Options = {},
): Promise<Profile & { readonly app: Served }> {
  const app = await serve({ settings })
  return { app, ...(await openProfile(browser, app, options)) }
}

/**
 * Opens a new browser. At the end of the test, its console must contain no errors or warnings but the expected ones,
 * and it must not have reported anything blocked by the Content-Security-Policy.
 */
export async function openProfile(
  browser: Browser,
  app: Served,
  options: Options = {},
): Promise<Profile> {
  const { allowed, ...rest } = options
  const context = await browser.newContext({ baseURL: app.origin, locale: 'en-GB', ...rest })
  // Expected things come at once, unless the machine is busy.
  context.setDefaultTimeout(60_000)
  if (rest.javaScriptEnabled !== false) {
    context.on('page', awaitClient)
    awaitRoutes(context)
  }
  const complaints: string[] = []
  context.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`
    const isExpected = alwaysAllowed.test(text) || allowed?.test(text)
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(text)
  })
  context.on('weberror', (error) => {
    const text = String(error.error())
    if (!allowed?.test(text)) complaints.push(text)
  })
  onTestFinished(async () => {
    // A request that a page made by itself may still be in one of the test's routes.
    const routed = [context, ...context.pages()]
    await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })))
    await context.close()
    const reports = app.lines.filter(({ message }) => message.startsWith('blocked by'))
    expect([...complaints, ...reports]).toEqual([])
  })
  return { context, page: await context.newPage() }
}

/** Makes `goto` and `reload` wait until the client has started: before that, the browser alone handles a press. */
function awaitClient(page: Page): void {
  const started = page.locator('html[data-started], html:not(:has(#app))')
  for (const name of ['goto', 'reload'] as const) {
    const navigate = page[name].bind(page) as (...args: unknown[]) => ReturnType<Page['goto']>
    page[name] = async (...args: readonly unknown[]) => {
      const answer = await navigate(...args)
      const { waitUntil } = (args.at(-1) ?? {}) as NonNullable<Parameters<Page['goto']>[1]>
      if (waitUntil !== 'commit') await started.waitFor({ state: 'attached' })
      return answer
    }
  }
}

/** Waits until the live updates of a user's page are running, which it marks in its document. */
export async function awaitLive(page: Page): Promise<void> {
  await page.locator('#toasts[data-lifted]').waitFor({ state: 'attached' })
}

/**
 * Waits until no form is in flight: a failed one is ready, with its password emptied, a moment after its error
 * appears.
 */
export async function awaitIdle(page: Page): Promise<void> {
  await page.locator('[data-started]:not(:has([aria-busy]))').waitFor({ state: 'attached' })
}

/** Waits until a script that an open page has requested by itself is running, with all that it imports. */
export async function awaitScript(page: Page, response: Promise<Response>): Promise<void> {
  // The page has imported it before, so its import resolves first.
  await page.evaluate(`import('${(await response).url()}')`)
}

/** Waits until the test knows of all requests that a page has sent so far: one more, sent after them, is answered. */
export async function awaitRequests(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/up').then((answer) => answer.text()))
}

/** Whether a request submits a form, in place of only validating its fields. */
export function submitsForm(request: Request): boolean {
  return request.method() === 'POST' && !('x-page-validate-only' in request.headers())
}

/** Fills in and submits the register form, which leads to the page that asks to verify the email. */
export async function register(page: Page, { name, email, password }: Person): Promise<void> {
  await page.goto('/register')
  await page.getByLabel(labels.name).fill(name)
  await page.getByLabel(labels.email).fill(email)
  await page.getByLabel(labels.password, { exact: true }).fill(password)
  await page.getByLabel(labels.confirmPassword).fill(password)
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
}

/** Fills in and submits the login form of the current page. */
export async function logIn(page: Page, { email, password }: Omit<Person, 'name'>): Promise<void> {
  await page.getByLabel(labels.email).fill(email)
  await page.getByLabel(labels.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: buttons.logIn, exact: true }).click()
}

/** Registers outside the page, and verifies the email like its mailed link would. */
export async function registerVerified(app: Served, page: Page, person: Person): Promise<void> {
  const request = { form: registration(person), headers: { Origin: app.origin } }
  const answer = await page.request.post('/register', { ...request, maxRedirects: 0 })
  if (answer.status() !== 303) throw new Error(`${person.email} was not registered.`)
  await verifyAll(app)
}

/** Makes the next pages read noise from a canvas, as some browsers do against fingerprinting. */
export function readNoise(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    CanvasRenderingContext2D.prototype.getImageData = (_x, _y, width, height) =>
      new ImageData(width, height)
  })
}

/**
 * Makes the next pages keep toasts, which otherwise disappear after seconds: on a busy machine a step may take as
 * long.
 */
export function keepToasts(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const originalSetTimeout = window.setTimeout.bind(window)
    const setTimeout = (work: TimerHandler, ms = 0, ...rest: unknown[]) =>
      originalSetTimeout(work, ms < 5_000 ? ms : 600_000, ...rest)
    Object.assign(window, { setTimeout })
  })
}

/** Returns the time of a page's clock, which the test may have changed. */
export function timeIn(page: Page): Promise<number> {
  return page.evaluate(() => Date.now())
}

/**
 * Makes the first matching request fail, and no other. The route stays: when the last route is removed, Chromium may
 * leave a loading document half read.
 */
export async function failOnce(page: Page, address: RegExp): Promise<void> {
  let isFirst = true
  await page.route(address, (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    return route.abort()
  })
}

/** Delays requests to an address until `release`. `isHeld`: resolves once the first of them is waiting. */
export async function holdRequests(page: Page, address: RegExp) {
  const isHeld = Promise.withResolvers<void>()
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    isHeld.resolve()
    await promise
    // It may have been aborted meanwhile.
    await route.continue().catch(() => {})
  })
  return { isHeld: isHeld.promise, release }
}

/** Sets a page's visibility by an event: a headless browser always shows its pages. */
export async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )
}

/** Verifies all emails. */
export async function verifyAll(app: Served): Promise<void> {
  const db = await openDatabase(app.database)
  await verifyEmails(db, new Date())
  await db.close()
}
