import { brandName } from '../../brand/brand.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { loadAxe, axeViolations } from '../../../internal/testing/chromium/axe.ts'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import { overflowOf, findOverflow } from '../../../internal/testing/chromium/overflow.ts'
import {
  awaitIdle,
  logIn,
  register,
  registerVerified,
  serveWithProfile,
  verifyAll,
} from '../../../internal/testing/chromium/tab.ts'
import { productPages } from '../../contract/view/product-pages.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { labels } from '#words/labels'
import { clientWords } from '#words/client/client'
import { login } from '#words/auth/login'
import { register as registerWords } from '#words/auth/register'
import { mailSent } from '#words/auth/mail-sent'
import { dashboard } from '#words/dashboard'
import { home } from '#words/home'
import { layout } from '#words/layout'
import { titles } from '#words/titles/none'

const chromium = chromiumOfFile()
// A colour in transition from light to dark is neither.
const withoutMotion = { reducedMotion: 'reduce' } as const
const resetPath = '/reset-password/a.b?email=ann@x.test'
/** The links of the footer and of the register page. */
const settings = {
  SUPPORT_ADDRESS: 'help@example.com',
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/privacy',
}
const germanOptions = {
  allowed: /status of 404/,
  settings,
  locale: 'de',
  ...withoutMotion,
} as const
const guestPaths = ['/', '/login', '/register', '/forgot-password', resetPath, '/no-such-page']
const userPaths = [
  '/dashboard',
  '/notifications',
  '/settings/profile',
  '/settings/security',
  '/settings/tokens',
  '/settings/appearance',
  '/no-such-page',
]

test('axe finds no fault on the pages of a guest, in light and dark', async () => {
  const { page } = await serveWithProfile(chromium(), {
    allowed: /status of 404/,
    settings,
    ...withoutMotion,
  })
  await loadAxe(page)
  const findings: string[] = []
  for (const address of guestPaths) {
    await page.goto(address)
    findings.push(...(await axeViolations(page)))
  }
  expect(findings).toEqual([])
})

test('axe finds no fault on a form with errors, a visible password and a toast', async () => {
  const { page } = await serveWithProfile(chromium(), {
    allowed: /status of (422|502)/,
    ...withoutMotion,
  })
  await loadAxe(page)
  await page.goto('/register')
  await page.getByLabel(labels.password, { exact: true }).fill('short')
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByText(errorWords.passwordShort).waitFor()
  await awaitIdle(page)
  await page.getByRole('button', { name: labels.showPassword }).first().click()
  await page.route('**/register', (route) => route.fulfill({ status: 502 }))
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByText(clientWords.notAPage).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('axe finds no fault on the pages of a user and the open account menu, in light and dark', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    allowed: /status of 404/,
    ...withoutMotion,
  })
  await loadAxe(page)
  await register(page, ann)
  const findings = await axeViolations(page)
  await verifyAll(app)
  for (const address of ['/dashboard', '/confirm-password', '/', '/no-such-page']) {
    await page.goto(address)
    findings.push(...(await axeViolations(page)))
  }
  await page.locator('summary', { hasText: layout.account }).click()
  await page.getByText(ann.email).first().waitFor()
  findings.push(...(await axeViolations(page)))
  expect(findings).toEqual([])
})

test('Tab visits the controls of the login page in their order', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  // The focus starts in the first field.
  expect(await focusedName(page)).toBe(labels.email)
  await page.keyboard.press('Shift+Tab')
  expect([await focusedName(page), ...(await pressTab(page, 8))]).toEqual([
    brandName,
    labels.email,
    labels.password,
    labels.showPassword,
    labels.remember,
    buttons.logIn,
    buttons.logInPasskey,
    login.forgot,
    buttons.createAccount,
  ])
})

test('a user can register and log out with the keyboard only', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/register')
  await page.getByRole('link', { name: brandName }).focus()
  await typeInFields(page, [ann.name, ann.email, ann.password])
  // Between the two passwords is the button that shows the first.
  await page.keyboard.press('Tab')
  await typeInFields(page, [ann.password])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  await expect.poll(() => focusedName(page)).toBe(mailSent.heading)
  expect(await pressTab(page, 3)).toEqual([buttons.resend, mailSent.change, buttons.logOut])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: home.heading }).waitFor()
})

test('a user can correct a wrong password with the keyboard only', async () => {
  const { page } = await serveWithProfile(chromium())
  await register(page, ann)
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await page.goto('/login')
  await page.getByRole('link', { name: brandName }).focus()
  await typeInFields(page, [ann.email, 'not hers'])
  await page.keyboard.press('Enter')
  await page.getByText(errorWords.wrongLogin).waitFor()
  // Cleared shortly after the error is shown, to be retyped.
  const password = page.getByLabel(labels.password, { exact: true })
  await expect.poll(() => password.inputValue()).toBe('')
  expect(await focusedName(page)).toBe(labels.password)
  await page.keyboard.type(ann.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
})

test('with forced colours and reduced motion a user can register and log in, and sees each state', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    ...withoutMotion,
    forcedColors: 'active',
  })
  await register(page, ann)
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await verifyAll(app)
  await page.goto('/settings/security')
  const currentLink = page.locator('.settings-way[aria-current]')
  expect(await borderOf(currentLink)).not.toBe('none 0px')
  const answer = Promise.withResolvers<void>()
  await page.route('**/logout', (route) => answer.promise.then(() => route.continue()))
  await page.locator('summary', { hasText: layout.account }).click()
  const logOutButton = page.getByRole('button', { name: buttons.logOut })
  expect(await borderOf(logOutButton.first())).toBe('solid 1px')
  await page.locator('.menu-panel').locator(logOutButton).click()
  const spinner = page.locator('[aria-busy=true]')
  await spinner.waitFor()
  // Three sides drawn and one open: otherwise the rotation would be invisible.
  expect(
    await spinner.evaluate((element) => {
      const { borderInlineStartColor, borderInlineEndColor } = getComputedStyle(element, '::before')
      return [borderInlineEndColor, borderInlineStartColor !== borderInlineEndColor]
    }),
  ).toEqual(['rgba(0, 0, 0, 0)', true])
  answer.resolve()
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await page.goto('/login')
  expect(await borderOf(page.getByLabel(labels.email))).toBe('solid 1px')
  expect(await borderOf(page.getByRole('button', { name: buttons.logIn, exact: true }))).toBe(
    'solid 1px',
  )
  await logIn(page, ann)
  await page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
})

test('the account menu opens with Enter, closes with Escape, and returns the focus', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  // The script that closes it is loaded before the event stream is requested.
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/dashboard')])
  const header = [
    layout.skip,
    brandName,
    ...productPages.map(({ name }) => name),
    layout.notifications,
    `A${layout.account}${ann.name}`,
  ]
  expect(await pressTab(page, header.length)).toEqual(header)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: buttons.logOut }).waitFor()
  expect(await pressTab(page, 3)).toEqual([layout.settings, layout.notifications, buttons.logOut])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: buttons.logOut }).waitFor({ state: 'hidden' })
  expect(await focusedName(page)).toBe(`A${layout.account}${ann.name}`)
})

test('the first Tab focuses the skip link, which moves the focus to the main part', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  expect(await pressTab(page, 1)).toEqual([layout.skip])
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})

test('no page scrolls sideways at 320, 360 and 1280 px, even with a name of 200 letters', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    allowed: /status of (404|422)/,
    settings,
  })
  const findings: string[] = []
  const measure = async (state: string) => findings.push(...(await findOverflow(page, state)))
  for (const address of guestPaths) {
    await page.goto(address)
    await measure(address)
  }
  await page.goto('/register')
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByText(errorWords.required).first().waitFor()
  await measure('/register with errors')
  const long = { name: 'W'.repeat(200), email: `${'w'.repeat(60)}@example.com` }
  await registerVerified(app, page, { ...long, password: ann.password })
  await measure('/verify-email')
  await page.goto('/confirm-password')
  await measure('/confirm-password')
  await page.goto('/dashboard')
  await measure('/dashboard')
  await page.locator('summary', { hasText: layout.account }).click()
  await measure('the account menu')
  expect(findings).toEqual([])
})

test('in German the pages of a guest pass axe, and text at twice the size fits in 320 px', async () => {
  const { page } = await serveWithProfile(chromium(), germanOptions)
  await loadAxe(page)
  expect(await findFaultsInGerman(page, guestPaths)).toEqual([])
})

test('in German the pages of a user pass axe, and text at twice the size fits in 320 px', async () => {
  const { page, app } = await serveWithProfile(chromium(), germanOptions)
  await registerVerified(app, page, ann)
  await loadAxe(page)
  expect(await findFaultsInGerman(page, userPaths)).toEqual([])
})

test('text at twice the size fits in 320 px on every page', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    allowed: /status of 404/,
    settings,
    ...withoutMotion,
  })
  const findings: string[] = []
  for (const address of guestPaths) findings.push(...(await findClipped(page, address)))
  await registerVerified(app, page, ann)
  for (const address of userPaths) findings.push(...(await findClipped(page, address)))
  expect(findings).toEqual([])
})

test('every page has a title, a language and one main heading', async () => {
  const { page, app } = await serveWithProfile(chromium(), { allowed: /status of 404/ })
  const headings: unknown[] = []
  const recordHeading = async (address: string) => {
    await page.goto(address)
    const [title, lang] = [await page.title(), await page.locator('html').getAttribute('lang')]
    headings.push([title, lang, await page.getByRole('heading', { level: 1 }).allTextContents()])
  }
  for (const address of ['/', '/login', '/register', '/no-such-page']) await recordHeading(address)
  await registerVerified(app, page, ann)
  await recordHeading('/dashboard')
  expect(headings).toEqual([
    [`${brandName} · ${titles.Home}`, 'en', [home.heading]],
    [`Log in · ${brandName}`, 'en', [login.heading]],
    [`Create account · ${brandName}`, 'en', [registerWords.heading]],
    [`There is no page here · ${brandName}`, 'en', ['There is no page here']],
    [`Dashboard · ${brandName}`, 'en', [dashboard.heading(ann.name)]],
  ])
})

test('no drawing exceeds its intended size when the stylesheet fails to load', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    allowed: /ERR_FAILED/,
    javaScriptEnabled: false,
  })
  await page.route('**/*.css', (route) => route.abort())
  const guestDrawings = [await drawingsOf(page, '/'), await drawingsOf(page, '/login')]
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  const header = ['mark 32×32', 'icon 24×24', 'icon chevron 20×20']
  const eyes = ['icon 20×20', 'icon 20×20', 'icon 20×20']
  expect([...guestDrawings, await drawingsOf(page, '/settings/security')]).toEqual([
    ['mark 32×32', 'poster 240×260'],
    ['mark 32×32', 'icon 20×20'],
    [...header, 'qr 208×208', 'icon 20×20', ...eyes, 'icon row-icon 20×20'],
  ])
})

async function findFaultsInGerman(page: Page, addresses: readonly string[]): Promise<string[]> {
  const findings: string[] = []
  for (const address of addresses) {
    findings.push(...(await findClipped(page, address)))
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    findings.push(...(await axeViolations(page)))
  }
  return findings
}

/** Returns what overflows 320 px, or is cut off, on a page with text at twice the size. */
async function findClipped(page: Page, address: string): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(address)
  const cuts = await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    const clippedElements = [...document.querySelectorAll(':not(svg *)')].filter((element) => {
      const { overflowX, clipPath, textOverflow } = getComputedStyle(element)
      const hidesOverflow = ['hidden', 'clip'].includes(overflowX) && clipPath === 'none'
      const hasText = [...element.childNodes].some(
        ({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim(),
      )
      const isClipping =
        hidesOverflow && hasText && textOverflow !== 'ellipsis' && element.checkVisibility()
      return isClipping && element.scrollWidth > element.clientWidth + 1
    })
    return clippedElements.map((element) => `cuts ${element.outerHTML.slice(0, 200)}`)
  })
  return [...(await overflowOf(page)), ...cuts].map((overflow) => `${address}: ${overflow}`)
}

/** Returns the drawings of a page with their sizes in pixels. */
async function drawingsOf(page: Page, address: string): Promise<string[]> {
  await page.goto(address)
  return page.locator('svg').evaluateAll((drawings) =>
    drawings.map((drawing) => {
      const { width, height } = drawing.getBoundingClientRect()
      return `${drawing.getAttribute('class')} ${width}×${height}`
    }),
  )
}

/** Returns the border of an element: without colours it alone distinguishes a button from text. */
function borderOf(element: Locator): Promise<string> {
  return element.evaluate((element) => {
    const { borderTopStyle, borderTopWidth } = getComputedStyle(element)
    return `${borderTopStyle} ${borderTopWidth}`
  })
}

/** Returns the names of the elements that the next presses of Tab focus. */
async function pressTab(page: Page, count: number): Promise<string[]> {
  const names: string[] = []
  for (let presses = 0; presses < count; presses++) {
    await page.keyboard.press('Tab')
    names.push(await focusedName(page))
  }
  return names
}

async function typeInFields(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
}

/** Returns the name of the focused element: its label, or its own text. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    const label = element?.labels?.[0]?.textContent
    return element?.ariaLabel ?? label ?? element?.textContent ?? ''
  })
}
