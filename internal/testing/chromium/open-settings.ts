import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { ann } from '../people.ts'
import { registerVerified, submitsForm, visited } from './tab.ts'
import { labels } from '#words/labels'
import { settings } from '#words/settings'

/** Opens Ann's settings in a browser of her own, on a page that receives events. */
export async function openSettings(
  browser: Browser,
  path: string,
  how: Parameters<typeof visited>[1] = {},
) {
  const there = await visited(browser, how)
  await registerVerified(there.app, there.page, ann)
  const hears = how.javaScriptEnabled !== false && there.page.waitForResponse(/\/broadcasts/)
  await there.page.goto(path)
  await hears
  return there
}

/** Follows a link in the settings, and waits for its page. */
export async function follow(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: settings.pages }).getByRole('link', { name })
  await link.click()
  await page.locator('[aria-current]', { hasText: name }).first().waitFor()
}

/** Goes back or forward to a page of the settings. */
export async function goTo(page: Page, way: 'back' | 'forward', name: string): Promise<void> {
  await (way === 'back' ? page.goBack() : page.goForward())
  await page.locator('[aria-current]', { hasText: name }).first().waitFor()
}

/** Returns the field labelled Name, whatever it names. */
export function nameIn(page: Page) {
  return page.getByLabel(labels.name, { exact: true })
}

/** Delays the answers to submitted forms. */
export async function heldPost(page: Page) {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**', async (route) => {
    if (!submitsForm(route.request())) return route.fallback()
    const response = await route.fetch({ maxRedirects: 0 })
    asked.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  return { asked: asked.promise, release: () => released.resolve() }
}

/** Waits until the tab keeps a text. */
export async function kept(page: Page, text: string): Promise<void> {
  await expect.poll(() => unsealed(page)).toContain(text)
}

/** Returns the typed texts that the tab keeps, decrypted with its key. */
export function unsealed(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const [, text = ''] = (sessionStorage.getItem('tabKey') ?? '').split(' ')
    const kept = (sessionStorage.getItem('typedText') ?? '').split(' ')
    const parts = kept.map((part) => Uint8Array.from(atob(part), (c) => c.charCodeAt(0)))
    const [iv, data] = parts
    if (!text || !iv || !data) return ''
    const bytes = Uint8Array.from(text.split('-'), Number)
    const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt'])
    const opened = crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data)
    return new TextDecoder().decode(await opened.catch(() => new ArrayBuffer()))
  })
}
