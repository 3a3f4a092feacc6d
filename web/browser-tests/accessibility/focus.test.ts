import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { holdPost } from '../../../internal/testing/chromium/open-settings.ts'
import { addTokens } from '../../../internal/testing/database/token-rows.ts'
import { tokens } from '#words/settings/tokens'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  addPasskeysAndTokens,
  deleteThrottles,
  turnOnTwoFactor,
} from '../../../internal/testing/database/rows.ts'
import {
  holdRequests,
  logIn,
  register as signUp,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { publishEvent } from '../../../internal/testing/processes/publish-event.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { buttons } from '#words/buttons'
import { challenge } from '#words/auth/challenge'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { login } from '#words/auth/login'
import { layout } from '#words/layout'
import { labels } from '#words/labels'
import { mailSent } from '#words/auth/mail-sent'
import { profile } from '#words/settings/profile'
import { forgotPassword } from '#words/auth/recover'
import { register } from '#words/auth/register'
import { security } from '#words/settings/security'

const chromium = chromiumOfFile()
const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 640 } }

test('pages that ask for an email focus their first empty field, when loaded and when reached by a link', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  expect(await focusedField(page)).toBe('email')
  await page.getByRole('link', { name: buttons.createAccount }).press('Enter')
  await page.getByText(register.lead).waitFor()
  await expect.poll(() => focusedField(page)).toBe('name')
  await page.goto('/forgot-password')
  expect(await focusedField(page)).toBe('email')
})

test('the next empty field has the focus when the first is filled in, or the heading when all are', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  await page.keyboard.type(ann.email)
  await page.getByRole('link', { name: login.forgot }).click()
  await page.getByText(forgotPassword.lead).waitFor()
  await expect.poll(() => focusedField(page)).toBe('H1')
  await page.getByRole('link', { name: buttons.logIn }).click()
  await page.getByText(login.lead).waitFor()
  await expect.poll(() => focusedField(page)).toBe('password')
})

test('the account menu stays open while the focus is in it, and closes when the focus leaves it', async () => {
  const { app, page } = await serveWithProfile(chromium(), {
    viewport: { width: 320, height: 640 },
  })
  await registerVerified(app, page, ann)
  // The script that closes it is loaded before the event stream is requested.
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/settings/appearance')])
  const menu = page.locator('details[data-menu]')
  const isInside = () => menu.evaluate((element) => element.contains(document.activeElement))
  const isOpen = () => menu.evaluate((element) => (element as HTMLDetailsElement).open)
  await menu.locator('summary').press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  expect([await isInside(), await isOpen()]).toEqual([true, true])
  while (await isInside()) {
    expect(await isOpen()).toBe(true)
    await page.keyboard.press('Tab')
  }
  expect(await isOpen()).toBe(false)
})

test('the account menu closes on a click outside, on one of its links, and on going back', async () => {
  const { app, page } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  // The script that closes it is loaded before the event stream is requested.
  await Promise.all([page.waitForRequest('**/broadcasts*'), page.goto('/dashboard')])
  const openMenu = page.locator('details[data-menu][open]')
  const expectClosedBy = async (close: () => Promise<unknown>) => {
    await page.locator('details[data-menu] summary').click()
    // Not every browser focuses what is clicked.
    await openMenu.locator('summary').blur()
    await close()
    await openMenu.waitFor({ state: 'detached' })
  }
  await expectClosedBy(() => page.locator('html').click({ position: { x: 1, y: 1 } }))
  for (const _ of ['another page', 'the page itself'])
    await expectClosedBy(async () => {
      await openMenu.getByRole('link', { name: layout.settings }).dispatchEvent('click')
      await page.getByRole('heading', { name: profile.heading, exact: true }).waitFor()
    })
  await expectClosedBy(() => page.goBack())
})

test('the account menu is closed on the next page even if the script that closes it loads late', async () => {
  const { app, page } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  const liveScript = await holdRequests(page, /\/live-/)
  await page.goto('/dashboard')
  await page.locator('details[data-menu] summary').click()
  await page.locator('details[data-menu]').getByRole('link', { name: layout.settings }).click()
  await page.getByRole('heading', { name: profile.heading, exact: true }).waitFor()
  await expect.poll(() => page.locator('details[data-menu][open]').count()).toBe(0)
  liveScript.release()
})

test('a heading that replaces a form taller than the window gets the focus and scrolls into view', async () => {
  const { page } = await serveWithProfile(chromium(), { viewport: { width: 640, height: 360 } })
  await page.goto('/register')
  await page.getByLabel(labels.name).fill('Ann')
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByRole('button', { name: buttons.usePasskeyInstead }).click()
  await page.getByText(register.sent).waitFor()
  await expect.poll(() => focusedField(page)).toBe('H1')
  await expect.poll(() => topOf(page.locator(':focus'))).toBeGreaterThan(-1)
})

test('the button that sends a mail again keeps the focus and counts down', async () => {
  const { page } = await serveWithProfile(chromium())
  await signUp(page, ann)
  await page.getByRole('button', { name: buttons.resend }).press('Enter')
  await page.getByRole('status').getByText(flashWords.linkSent).waitFor()
  await page.locator('button[data-wait]:focus').waitFor()
})

test('a waiting button is enabled and announced as soon as the server allows another mail', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await signUp(page, ann)
  await page.getByRole('button', { name: buttons.resend }).press('Enter')
  await page.locator('button[data-wait][aria-disabled=true]:not([aria-busy])').waitFor()
  const db = await openDatabase(app.database)
  await deleteThrottles(db)
  await db.close()
  await publishEvent(app, 'verified')
  await page.locator('.sent button[type=submit]:not([data-wait],[aria-disabled])').waitFor()
  await page.locator('[data-told]').getByText(mailSent.canAgain).waitFor()
})

test('the heading of a section gets the focus and scrolls into view when its pressed button disappears', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    viewport: { width: 640, height: 360 },
  })
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  const db = await openDatabase(app.database)
  await turnOnTwoFactor(db)
  await db.close()
  await page.reload()
  await page.getByRole('button', { name: buttons.turnOffTwoFactor }).click()
  await page.getByRole('dialog').getByRole('button', { name: buttons.turnOffTwoFactor }).click()
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).waitFor()
  await expect.poll(() => focusedField(page)).toBe('H2')
  await expect.poll(() => topOf(page.locator(':focus'))).toBeGreaterThan(-1)
})

test('the heading of the previous section gets the focus and is in view when a section disappears', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    viewport: { width: 640, height: 360 },
  })
  await registerVerified(app, page, ann)
  const db = await openDatabase(app.database)
  await addPasskeysAndTokens(db, new Date())
  await db.close()
  await page.goto('/settings/security')
  await page.getByRole('button', { name: security.removeButton }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: security.removeButton }).press('Enter')
  await page.locator('h2:focus').getByText(security.set, { exact: true }).waitFor()
  const isInSight = async () => {
    const top = await topOf(page.locator(':focus'))
    return top > -1 && top < 360
  }
  await expect.poll(isInSight).toBe(true)
})

test('a page whose form was replaced keeps its scroll position on a reload', async () => {
  const { page } = await serveWithProfile(chromium(), { viewport: { width: 640, height: 260 } })
  await page.goto('/forgot-password')
  await page.getByLabel(labels.email).fill(ann.email)
  await page.keyboard.press('Enter')
  // It comes into view with the focus, and is not scrolled to after that.
  await expect.poll(() => focusedField(page)).toBe('H1')
  await page.evaluate(() => scrollTo(0, 400))
  await expect.poll(() => page.evaluate(() => history.state.scroll[1])).toBeGreaterThan(300)
  const scrollBefore = await page.evaluate(() => scrollY)
  await page.reload()
  await page.locator('button[data-wait][aria-disabled]').waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(scrollBefore)
})

test('the scroll position stays when a removed row disappears after the user has scrolled on', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    viewport: { width: 640, height: 360 },
  })
  await registerVerified(app, page, ann)
  const db = await openDatabase(app.database)
  await addTokens(db, { userId: 1, count: 14, at: new Date() })
  await db.close()
  await page.goto('/settings/tokens')
  const answer = await holdPost(page)
  await page.getByRole('button', { name: `${tokens.revoke} Token 14`, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: tokens.revoke }).click()
  await answer.answered
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  answer.release()
  await expect.poll(() => page.locator('#tokens li').count()).toBe(13)
  await expect.poll(() => focusedField(page)).not.toBe('BODY')
  expect(await page.evaluate(() => innerHeight + scrollY)).toBeGreaterThan(
    (await page.evaluate(() => document.documentElement.scrollHeight)) - 200,
  )
})

test('focusing the first field does not scroll the page', async () => {
  const { page } = await serveWithProfile(chromium(), { viewport: { width: 640, height: 240 } })
  await page.goto('/register')
  expect([await focusedField(page), await page.evaluate(() => scrollY)]).toEqual(['name', 0])
  await page.goto('/')
  await page.getByRole('link', { name: buttons.logIn }).first().click()
  await page.getByText(login.lead).waitFor()
  await expect.poll(() => focusedField(page)).toBe('email')
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('on a phone the heading has the focus instead of a field, so that no keyboard opens', async () => {
  const { page } = await serveWithProfile(chromium(), phone)
  await page.goto('/login')
  expect(await focusedField(page)).toBe('BODY')
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await page.getByText(register.lead).waitFor()
  await expect.poll(() => focusedField(page)).toBe('H1')
})

test('a wrong password on the confirm page is cleared and its field has the focus', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/confirm-password')
  expect(await focusedField(page)).toBe('password')
  await page.keyboard.type('not hers')
  await page.keyboard.press('Enter')
  await page.getByText(errorWords.wrongPassword).waitFor()
  await expect.poll(() => field(page, 'password').inputValue()).toBe('')
  expect(await focusedField(page)).toBe('password')
})

test('a wrong current password is cleared and focused, and the new password is preserved', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await field(page, 'current_password').fill('not hers')
  for (const name of ['password', 'password_confirmation'])
    await field(page, name).fill('staple it')
  await field(page, 'password').press('Enter')
  await page.getByText(errorWords.wrongPassword).waitFor()
  await expect.poll(() => focusedField(page)).toBe('current_password')
  expect(await field(page, 'current_password').inputValue()).toBe('')
  expect(await field(page, 'password').inputValue()).toBe('staple it')
})

test('after a login with a malformed email the email field has the focus and the password stays', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  await logIn(page, { email: 'ann', password: ann.password })
  await page.getByText(errorWords.wrongLogin).waitFor()
  await expect.poll(() => focusedField(page)).toBe('email')
  expect(await field(page, 'password').inputValue()).toBe(ann.password)
})

test('a wrong code is selected, so that the next digits replace it', async () => {
  const { page, secret } = await openChallenge()
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const failedResponse = page.waitForResponse(/two-factor-challenge/)
    await page.keyboard.type('000000')
    await failedResponse
    await page.locator('#code-error').getByText(errorWords.wrongCode).waitFor()
    await expect.poll(() => selectedText(page)).toBe('000000')
  }
  await page.keyboard.type(codeAt(secret, new Date(Date.now() + 30_000)))
  await page.waitForURL('/dashboard')
})

test('a wrong recovery code is selected', async () => {
  const { page } = await openChallenge()
  await page.locator('summary', { hasText: challenge.recovery }).click()
  await expect.poll(() => focusedField(page)).toBe('recovery_code')
  await page.keyboard.type('aaaaa-aaaaa')
  await page.keyboard.press('Enter')
  await page.getByText(errorWords.wrongRecoveryCode).waitFor()
  await expect.poll(() => selectedText(page)).toBe('aaaaa-aaaaa')
})

test('the recovery code field has the focus when its form is opened with the keyboard', async () => {
  const { page } = await openChallenge()
  await page.locator('summary', { hasText: challenge.recovery }).press('Enter')
  await expect.poll(() => focusedField(page)).toBe('recovery_code')
})

/** Opens the page where Ann's login waits for its code. */
async function openChallenge(): Promise<{ page: Page; secret: string }> {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  const secret = (await page.locator('#secret').getAttribute('data-text')) ?? ''
  await field(page, 'code').fill(codeAt(secret, new Date()))
  await page.locator('#toasts').getByText(flashWords.twoFactorOn).waitFor()
  await page.goto('/up')
  await page.context().clearCookies()
  await page.goto(`${app.origin}/login`)
  await logIn(page, ann)
  await page.getByRole('heading', { name: challenge.heading }).waitFor()
  await expect.poll(() => focusedField(page)).toBe('code')
  return { page, secret }
}

function field(page: Page, name: string) {
  return page.locator(`form input[name="${name}"]`).first()
}

/** Returns the name of the focused field, or the tag of any other element. */
function focusedField(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document
    return activeElement instanceof HTMLInputElement ? activeElement.name : activeElement?.tagName
  })
}

function selectedText(page: Page): Promise<string | undefined> {
  return page.evaluate(() => getSelection()?.toString())
}

/** Returns the distance from the top of the window, in pixels. */
async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? -Infinity
}
