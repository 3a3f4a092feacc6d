import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { ann } from '../people.ts'
import { registerVerified, submitsForm, serveWithProfile } from './tab.ts'
import { labels } from '#words/labels'
import { settings } from '#words/settings/settings'

/** Opens Ann's settings in a browser of her own, on a page that receives events. */
export async function openSettings(
  browser: Browser,
  path: string,
  options: Parameters<typeof serveWithProfile>[1] = {},
) {
  const profile = await serveWithProfile(browser, options)
  await registerVerified(profile.app, profile.page, ann)
  const streamOpens =
    options.javaScriptEnabled !== false && profile.page.waitForResponse(/\/broadcasts/)
  await profile.page.goto(path)
  await streamOpens
  return profile
}

/** Follows a link in the settings, and waits for its page. */
export async function followLink(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: settings.pages }).getByRole('link', { name })
  await link.click()
  await page.locator('[aria-current]', { hasText: name }).first().waitFor()
}

/** Goes back or forward to a page of the settings. */
export async function goTo(page: Page, direction: 'back' | 'forward', name: string): Promise<void> {
  await (direction === 'back' ? page.goBack() : page.goForward())
  await page.locator('[aria-current]', { hasText: name }).first().waitFor()
}

/** Returns the field labelled Name, whatever it names. */
export function nameField(page: Page) {
  return page.getByLabel(labels.name, { exact: true })
}

/** Delays the answers to submitted forms. */
export async function holdPost(page: Page) {
  const answered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**', async (route) => {
    if (!submitsForm(route.request())) return route.fallback()
    const response = await route.fetch({ maxRedirects: 0 })
    answered.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  return { answered: answered.promise, release: () => released.resolve() }
}

/** Waits until the tab keeps a text. */
export async function awaitStoredText(page: Page, text: string): Promise<void> {
  await expect.poll(() => storedText(page)).toContain(text)
}

/** Returns the typed texts that the tab keeps, decrypted with its key. */
export function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const [, text = ''] = (sessionStorage.getItem('tabKey') ?? '').split(' ')
    const stored = (sessionStorage.getItem('typedText') ?? '').split(' ')
    const parts = stored.map((part) => Uint8Array.from(atob(part), (c) => c.charCodeAt(0)))
    const [iv, data] = parts
    if (!text || !iv || !data) return ''
    const bytes = Uint8Array.from(text.split('-'), Number)
    const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt'])
    const opened = crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data)
    return new TextDecoder().decode(await opened.catch(() => new ArrayBuffer()))
  })
}
