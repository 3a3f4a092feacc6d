import { appName } from '../../contract/name.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { abilities } from '../../contract/abilities.ts'
import { findOverflow } from '../../../internal/testing/chromium/overflow.ts'
import { loadAxe, axeViolations } from '../../../internal/testing/chromium/axe.ts'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { isClearOfToasts } from '../../../internal/testing/chromium/clear-of-toasts.ts'
import { ann } from '../../../internal/testing/people.ts'
import { publishMany } from '#testing/rows'
import { allUsers, notifyAll } from '../../../internal/testing/database/rows.ts'
import {
  keepToasts,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { addTokens } from '../../../internal/testing/database/token-rows.ts'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { layout } from '#words/layout'
import { notifications } from '#words/notifications'
import { tokens } from '#words/settings/tokens'
import { copying } from '#words/settings/two-factor'
import type { Db } from '../../../internal/db/db.ts'

const chromium = chromiumOfFile()

test('a token can be created, copied and revoked by keyboard, and is displayed until the page is left', async () => {
  const { page, context, changeDatabase } = await openTokens({
    viewport: { width: 1280, height: 640 },
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await changeDatabase((db, userId) => addTokens(db, { userId, count: 1, at: new Date() }))
  await page.getByRole('button', { name: tokens.create }).press('Enter')
  await page.getByText(errorWords.abilityMissing).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('name')
  await page.keyboard.type('Deploy')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  // Past the other checkboxes.
  for (const _ of abilities.slice(1)) await page.keyboard.press('Tab')
  await page.getByText(errorWords.abilityMissing).waitFor({ state: 'detached' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.locator(':focus').evaluate((button) => button.scrollIntoView({ block: 'end' }))
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText(flashWords.tokenMade).waitFor()
  const token = (await newToken(page).textContent()) ?? ''
  expect(token).toMatch(new RegExp(`^${appName}_[a-z2-7]{52}$`))
  await expect.poll(() => isInView(page)).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText(copying.done).waitFor()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await changeDatabase(async (db, userId) => {
    await notifyAll(db, new Date())
    await publishMany(db, { channel: `users.${userId}`, times: 1, at: new Date() })
  })
  await page.getByRole('link', { name: layout.unread(2) }).waitFor()
  await revoke(page, 'Token 1')
  expect(await newToken(page).textContent()).toBe(token)
  expect(await page.locator('#tokens li strong').allTextContents()).toEqual(['Deploy'])
  await page.getByRole('link', { name: layout.unread(2) }).press('Enter')
  await page.getByRole('heading', { name: notifications.heading }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: tokens.heading }).waitFor()
  expect(await page.content()).not.toContain(token)
})

test.each([
  [360, 640, 'en'],
  [320, 568, 'de'],
] as const)(
  'on a phone of %d by %d pixels no part of a new token is covered by its toast, in the language %s',
  async (width, height, locale) => {
    const viewport = { width, height }
    const { page } = await openTokens({ viewport, locale, reducedMotion: 'reduce' })
    await keepToasts(page)
    await page.reload()
    await page.locator('#name').fill('Deploy')
    await page.getByRole('checkbox').first().check()
    await page.locator('form:has(#name) button').click()
    await page.getByRole('status').locator('.toast').waitFor()
    for (const selector of ['h3', '.hint', 'code', 'button'])
      await expect.poll(() => isClearOfToasts(page, `.new-token ${selector}`)).toBe(true)
  },
)

test('without JavaScript, Enter pressed twice makes one token, which is displayed', async () => {
  const { page, context } = await openTokens({ javaScriptEnabled: false })
  const isMade = Promise.withResolvers<void>()
  await context.route('**/settings/tokens', async (route) => {
    const request = route.request()
    if (request.method() !== 'POST') return route.continue()
    // The browser adds it after this interception.
    const headers = { ...request.headers(), 'sec-fetch-mode': 'navigate' }
    const response = await route.fetch({ maxRedirects: 0, headers })
    isMade.resolve()
    await isPressedAgain.promise
    // The browser has dropped the first answer by then.
    await route.fulfill({ response }).catch(() => {})
  })
  const isPressedAgain = Promise.withResolvers<void>()
  await page.getByLabel(labels.name).fill('Deploy')
  await page.getByRole('checkbox').first().check()
  await page.getByLabel(labels.name).focus()
  // By the keyboard itself: a locator would wait for the navigation.
  await page.keyboard.press('Enter')
  await isMade.promise
  const second = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('Enter')
  await second
  isPressedAgain.resolve()
  await newToken(page).waitFor()
  expect(await page.locator('#tokens li strong').allTextContents()).toEqual(['Deploy'])
})

test('a new token that is revoked at once is no longer displayed', async () => {
  const { page } = await openTokens()
  await createToken(page, 'Deploy')
  const first = await newToken(page).textContent()
  await createToken(page, 'Other')
  await expect.poll(() => newToken(page).textContent()).not.toBe(first)
  await revoke(page, 'Other')
  await newToken(page).waitFor({ state: 'detached' })
  expect(await page.locator('#tokens li strong').allTextContents()).toEqual(['Deploy'])
})

test('revoking a token moves the focus to the next one, or to the previous one after the last', async () => {
  const { page, changeDatabase } = await openTokens({ viewport: { width: 1280, height: 640 } })
  await changeDatabase((db, userId) => addTokens(db, { userId, count: 20, at: new Date() }))
  await page.reload()
  const names = await page.locator('#tokens li strong').allTextContents()
  const [, , third = '', fourth = ''] = names
  const [beforeLast = '', last = ''] = names.slice(-2)
  for (const [name, next] of [
    [third, fourth],
    [last, beforeLast],
  ] as const) {
    await revoke(page, name)
    await expect.poll(() => page.locator(':focus').textContent()).toBe(next)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe(`${tokens.revoke} ${next}`)
  }
})

test('axe finds no fault on tokens with long names, and 200 tokens fit at 320, 360 and 1280 px', async () => {
  const { page, changeDatabase } = await openTokens({ reducedMotion: 'reduce' })
  await loadAxe(page)
  await page.reload()
  await page.getByRole('button', { name: tokens.create }).click()
  await page.getByText(errorWords.abilityMissing).waitFor()
  const findings = await axeViolations(page)
  await createToken(page, 'W'.repeat(200))
  await newToken(page).waitFor()
  findings.push(...(await axeViolations(page)))
  await changeDatabase((db, userId) => addTokens(db, { userId, count: 199, at: new Date() }))
  await page.reload()
  findings.push(...(await findOverflow(page, 'tokens')))
  await page.getByRole('button', { name: `${tokens.revoke} WW` }).click()
  await page.getByRole('dialog').waitFor()
  findings.push(...(await findOverflow(page, 'tokens')))
  expect(findings).toEqual([])
})

/** Opens Ann's page of tokens; `changeDatabase` works on the database behind it. */
async function openTokens(options: Parameters<typeof serveWithProfile>[1] = {}) {
  const { page, context, app } = await serveWithProfile(chromium(), options)
  await registerVerified(app, page, ann)
  await page.goto('/settings/tokens')
  const changeDatabase = async (work: (db: Db, userId: number) => Promise<void>) => {
    const db = await openDatabase(app.database)
    const [user] = await allUsers(db)
    await work(db, user?.id ?? 0)
    await db.close()
  }
  return { page, context, changeDatabase }
}

function newToken(page: Page) {
  return page.locator('#new-token')
}

async function createToken(page: Page, name: string): Promise<void> {
  await page.getByLabel(labels.name).fill(name)
  await page.getByLabel('user:read').check()
  await page.getByRole('button', { name: tokens.create }).click()
  await page.getByText(flashWords.tokenMade).first().waitFor()
}

async function revoke(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `${tokens.revoke} ${name}`, exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: tokens.sure(name) })
  await dialog.getByRole('button', { name: tokens.revoke }).press('Enter')
  await page.getByRole('status').getByText(flashWords.tokenRevoked).waitFor()
}

function isInView(page: Page): Promise<boolean> {
  return page.locator('.new-token').evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
}
