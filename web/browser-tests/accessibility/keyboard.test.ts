import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import type { Served } from '../../../internal/testing/processes/executable.ts'
import { ann } from '../../../internal/testing/people.ts'
import { serveWithProfile } from '../../../internal/testing/chromium/tab.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { buttons } from '#words/buttons'
import { challenge } from '#words/auth/challenge'
import { dashboard } from '#words/dashboard'
import { flashWords } from '#words/flash'
import { home } from '#words/home'
import { labels } from '#words/labels'
import { layout } from '#words/layout'
import { login } from '#words/auth/login'
import { mailSent } from '#words/auth/mail-sent'
import { profile } from '#words/settings/profile'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'
import { twoFactor } from '#words/settings/two-factor'

const chromium = chromiumOfFile()

test('registration, two-factor login, tokens and deletion work with the keyboard only, with visible focus', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await page.goto('/register')
  await fill(page, labels.name, ann.name)
  await fill(page, labels.email, ann.email)
  await fill(page, labels.password, ann.password)
  await fill(page, labels.confirmPassword, ann.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  await page.goto(await mailedLink(app))
  await page.getByRole('status').getByText(flashWords.verified).waitFor()
  const secret = await turnOnTwoFactor(page)
  await press(page, layout.account, 'Shift+Tab')
  await press(page, buttons.logOut)
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await logInWithCode(page, secret)
  await createToken(page)
  await deleteAccount(page)
})

/** Turns two-factor login on, from the step on the dashboard to the saved codes; returns the key. */
async function turnOnTwoFactor(page: Page): Promise<string> {
  await press(page, dashboard.steps.twoFactor.title)
  await page.getByRole('heading', { name: twoFactor.heading }).waitFor()
  await press(page, buttons.turnOnTwoFactor)
  await page.locator('#secret').waitFor()
  const secret = (await page.locator('#secret').textContent()) ?? ''
  await fill(page, labels.code, codeAt(secret, new Date()))
  await page.getByRole('status').getByText(flashWords.twoFactorOn).waitFor()
  await press(page, twoFactor.saved)
  await page.getByRole('status').getByText(flashWords.recoveryCodesSaved).waitFor()
  return secret
}

async function logInWithCode(page: Page, secret: string): Promise<void> {
  await press(page, buttons.logIn)
  await page.getByRole('heading', { name: login.heading }).waitFor()
  await fill(page, labels.email, ann.email)
  await fill(page, labels.password, ann.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: challenge.heading }).waitFor()
  // The next one, which is valid already: the current one was used.
  await fill(page, labels.code, codeAt(secret, new Date(Date.now() + 30_000)))
  await page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
}

async function createToken(page: Page): Promise<void> {
  await press(page, layout.account, 'Shift+Tab')
  await press(page, layout.settings)
  await page.getByRole('heading', { name: profile.heading, exact: true }).waitFor()
  await press(page, settings.tokens, 'Shift+Tab')
  await page.getByRole('heading', { name: tokens.heading }).waitFor()
  await fill(page, labels.name, 'CI')
  await reach(page, 'user:read')
  await page.keyboard.press('Space')
  await reach(page, tokens.expiries[30])
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: tokens.expiries[365] }).isChecked()).toBe(true)
  await press(page, tokens.create)
  await page.getByRole('status').getByText(flashWords.tokenMade).waitFor()
}

async function deleteAccount(page: Page): Promise<void> {
  await press(page, settings.profile, 'Shift+Tab')
  await page.getByRole('heading', { name: profile.heading, exact: true }).waitFor()
  await press(page, buttons.deleteAccount)
  const dialog = page.getByRole('dialog', { name: profile.sure })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await focusedElement(page)).toMatchObject({ name: buttons.deleteAccount, isVisible: true })
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await fill(page, labels.password, ann.password)
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText(flashWords.accountDeleted).waitFor()
}

type TabKey = 'Tab' | 'Shift+Tab'

async function press(page: Page, name: string, key: TabKey = 'Tab'): Promise<void> {
  await reach(page, name, key)
  await page.keyboard.press('Enter')
}

async function fill(page: Page, name: string, text: string): Promise<void> {
  await reach(page, name)
  await page.keyboard.type(text)
}

/** Moves the focus to the element of this name; throws if the focus is invisible on the way. */
async function reach(page: Page, name: string, key: TabKey = 'Tab'): Promise<void> {
  const passedNames: string[] = []
  while ((await focusedElement(page)).name !== name) {
    if (passedNames.length === 60)
      throw new Error(`${name} is not reached: ${passedNames.join(', ')}`)
    await page.keyboard.press(key)
    const element = await focusedElement(page)
    if (!element.isVisible) throw new Error(`Nobody sees that ${element.name} has the focus.`)
    passedNames.push(element.name)
  }
}

/** Returns what has the focus, and whether its ring is visible. In between the browser's own bars have it. */
function focusedElement(page: Page): Promise<{ name: string; isVisible: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const label = (element as HTMLInputElement).labels?.[0]
    const title = element.querySelector('strong')
    const menu = element.matches('summary') ? element.querySelector('.visually-hidden') : undefined
    const name = element.ariaLabel ?? (label ?? title ?? menu ?? element).textContent ?? ''
    const styles = [
      getComputedStyle(element),
      getComputedStyle(element, '::after'),
      // For a field whose frame or label has the ring.
      ...[label, element.parentElement].flatMap((container) =>
        container ? [getComputedStyle(container)] : [],
      ),
    ]
    const hasRing = styles.some(
      ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) > 0,
    )
    return { name: name.trim(), isVisible: element === document.body || hasRing }
  })
}

/** Returns the link of the mail in the log: no mail server is configured. */
async function mailedLink({ lines }: Served): Promise<string> {
  const findLink = () =>
    lines.flatMap(({ message }) => /\/verify-email\/\d+\/\S+/.exec(message) ?? []).at(-1)
  await expect.poll(findLink).toBeTruthy()
  return findLink() ?? ''
}
