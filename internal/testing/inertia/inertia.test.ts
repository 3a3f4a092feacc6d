import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { appName } from '../../../web/contract/name.ts'
import { freePort } from '../../base/program/free-port.ts'
import { everyone } from '../../http/guards.ts'
import { redirectAway } from '../../http/reply.ts'
import { routes } from '../../http/routes.ts'
import { chromiumOfFile } from '../chromium/chromium.ts'
import { ann, registration } from '../people.ts'
import { setUserNames } from '../database/rows.ts'
import { testApp, type TestApp } from '../test-app.ts'
import { type ClientName, inertiaPages } from './clients.ts'
import type { Handler } from '../../http/form/form.ts'
import type { Route } from '../../http/router.ts'

const chromium = chromiumOfFile()
const photo = join(import.meta.dirname, '../../../testdata/photos/photo.jpg')
// Milliseconds, as for any browser test on a busy machine.
const longest = 90_000
/** Browsers' console messages about a failed form, another build, and a missing page. */
const ordinary = /status of (404|409|422)/

test(
  'an unmodified @inertiajs/react works as a frontend of this server',
  () => goThrough('react'),
  longest,
)

test(
  'an unmodified @inertiajs/vue3 works as a frontend of this server',
  () => goThrough('vue3'),
  longest,
)

test(
  'an unmodified @inertiajs/svelte works as a frontend of this server',
  () => goThrough('svelte'),
  longest,
)

async function goThrough(client: ClientName): Promise<void> {
  const { page, app, origin, build } = await visited(client)
  await comes(page)
  await registers(page)
  await changes(page, app)
  await uploads(page)
  await looks(page)
  await leaves(page, { origin, build })
  await logsOut(page)
}

interface Visited {
  readonly page: Page
  readonly app: TestApp
  readonly origin: string
  /** Which one is served. */
  readonly build: { version: string }
}

/** Starts a server with a client's pages, and a browser whose console must stay empty. */
async function visited(client: ClientName): Promise<Visited> {
  const { frontend, assets: built } = await inertiaPages(client)
  const build = { version: built.version }
  const assets = {
    ...built,
    scripts: (language: string) => ({ ...built.scripts(language), version: build.version }),
  }
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const leave: Handler = (c) => redirectAway(c, `http://127.0.0.1:${port}/up`)
  const away: Route = { method: 'POST', name: 'up', who: everyone, handler: leave }
  const app = await testApp({
    pages: { assets, frontend },
    config: { origin, port },
    routes: [...routes, away],
  })
  const context = await chromium().newContext({ baseURL: origin, locale: 'en-GB' })
  context.setDefaultTimeout(20_000)
  const complaints: string[] = []
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !ordinary.test(message.text()))
      complaints.push(message.text())
  })
  context.on('weberror', (error) => void complaints.push(String(error.error())))
  onTestFinished(async () => {
    await context.close()
    const reports = app.logLines.filter(({ message }) => message.startsWith('blocked by'))
    expect([...complaints, ...reports]).toEqual([])
  })
  return { page: await context.newPage(), app, origin, build }
}

/** The first page, and a visit that is slow enough to show the progress bar, thin as the client draws it. */
async function comes(page: Page): Promise<void> {
  await page.goto('/')
  await shows(page, 'Home')
  await mark(page)
  const looked = Promise.withResolvers<void>()
  await page.route('/register', (route) => looked.promise.then(() => route.continue()))
  await follow(page, 'Register')
  const bar = page.locator('#nprogress .bar')
  await bar.waitFor({ state: 'attached' })
  const [height, colour] = await bar.evaluate((bar) => {
    const style = getComputedStyle(bar)
    return [style.height, style.backgroundColor]
  })
  expect([height, colour]).toEqual(['2px', 'rgb(34, 153, 221)'])
  looked.resolve()
  await shows(page, 'Auth/Register')
  await page.unroute('/register')
}

/** Precognition, a form with errors, and one that is redirected. */
async function registers(page: Page): Promise<void> {
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await field('email').fill('ann')
  await field('email').blur()
  await page.getByText(errorWords.email).waitFor()
  for (const [name, value] of Object.entries(registration(ann))) await field(name).fill(value)
  await page.getByText(errorWords.email).waitFor({ state: 'detached' })
  await field('password_confirmation').fill('another horse')
  await press(page, 'Register')
  await page.getByText(errorWords.passwordMismatch).waitFor()
  await field('password_confirmation').fill(ann.password)
  await press(page, 'Register')
  await shows(page, 'Auth/VerifyEmail', ann.name)
}

/** PATCH with a flash, which the next page lacks; a prefetch, PUT, and a partial reload. */
async function changes(page: Page, app: TestApp): Promise<void> {
  await follow(page, 'Profile')
  await shows(page, 'Settings/Profile', ann.name)
  await page.getByLabel('name').fill('Anna')
  await press(page, 'Save')
  await tells(page, flashWords.profileSaved)
  await shows(page, 'Settings/Profile', 'Anna')
  const asked: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/notifications')) asked.push(request.headers()['purpose'])
  })
  const fetched = page.waitForResponse('/notifications')
  await page.getByRole('link', { name: 'Notifications' }).hover()
  await fetched
  await shows(page, 'Settings/Profile', 'Anna')
  await follow(page, 'Notifications')
  await shows(page, 'Notifications', 'Anna')
  await tells(page, '')
  expect(asked).toEqual(['prefetch'])
  await follow(page, 'Profile')
  const back = page.waitForResponse((answer) => answer.request().redirectedFrom() !== null)
  await press(page, 'English')
  const put = (await back).request().redirectedFrom()
  expect([put?.method(), (await put?.response())?.status()]).toEqual(['PUT', 303])
  expect(await cookieNames(page)).toContain(`${appName}_language`)
  await setUserNames(app.db, 'Bea')
  const part = page.waitForResponse(
    (answer) => 'x-inertia-partial-data' in answer.request().headers(),
  )
  await press(page, 'Reload')
  const { props } = (await (await part).json()) as { readonly props: object }
  expect([Object.hasOwn(props, 'signal'), Object.hasOwn(props, 'passkey')]).toEqual([true, false])
  await shows(page, 'Settings/Profile', 'Bea')
  expect(await page.locator('#props').textContent()).toContain('passkey')
}

/** An upload with its progress, and DELETE. */
async function uploads(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.addEventListener('inertia:progress', (event) => {
      const { progress } = (event as CustomEvent<{ progress: { percentage: number } }>).detail
      document.documentElement.dataset['uploaded'] = String(progress.percentage)
    })
  })
  await page.getByLabel('photo').setInputFiles(photo)
  await press(page, 'Upload')
  await tells(page, flashWords.photoSaved)
  expect(await page.locator('html').getAttribute('data-uploaded')).toBe('100')
  await page.locator('img').waitFor()
  await press(page, 'Remove')
  await tells(page, flashWords.photoRemoved)
  await page.locator('img').waitFor({ state: 'detached' })
}

/** A missing page; and everything so far in one document, whose history nobody can read. */
async function looks(page: Page): Promise<void> {
  await follow(page, 'Nowhere')
  await shows(page, 'Error', 'Bea')
  expect(await page.locator('#status').textContent()).toBe('404')
  expect(await isMarked(page)).toBe(true)
  const kept = await page.evaluate(() =>
    Object.prototype.toString.call((history.state as { readonly page: unknown }).page),
  )
  expect(kept).toBe('[object ArrayBuffer]')
}

/** Another build, for which the document is reloaded; and a redirect off the site. */
async function leaves(
  page: Page,
  { origin, build }: Pick<Visited, 'origin' | 'build'>,
): Promise<void> {
  build.version = 'another'
  await follow(page, 'Profile')
  await shows(page, 'Settings/Profile', 'Bea')
  expect(await isMarked(page)).toBe(false)
  await press(page, 'Elsewhere')
  await page.waitForURL(`${origin.replace('localhost', '127.0.0.1')}/up`)
  await page.goto('/settings/profile')
  await shows(page, 'Settings/Profile', 'Bea')
}

/** Nothing that was shown can be gone back to. */
async function logsOut(page: Page): Promise<void> {
  await mark(page)
  await press(page, 'Log out')
  await shows(page, 'Home')
  await tells(page, flashWords.loggedOut)
  await page.goBack()
  await shows(page, 'Auth/Login')
  expect(await isMarked(page)).toBe(true)
}

async function shows(page: Page, component: string, user = 'nobody'): Promise<void> {
  await page.getByRole('heading', { name: component, exact: true }).waitFor()
  await expect.poll(() => page.locator('#user').textContent()).toBe(user)
}

async function tells(page: Page, flash: string): Promise<void> {
  await expect.poll(() => page.getByRole('status').textContent()).toBe(flash)
}

function follow(page: Page, name: string): Promise<void> {
  return page.getByRole('link', { name, exact: true }).click()
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

/** Marks the document, which no visit reloads. */
function mark(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.documentElement.dataset['marked'] = ''
  })
}

async function isMarked(page: Page): Promise<boolean> {
  return (await page.locator('html[data-marked]').count()) === 1
}

async function cookieNames(page: Page): Promise<string[]> {
  return (await page.context().cookies()).map(({ name }) => name)
}
