import type { Flash, Page } from '../../../contract/pages.ts'
import { historyKey } from './history-key.ts'
import { seal, type Sealed, unseal } from './seal.ts'

export type Position = readonly [x: number, y: number]

/** The state of a history entry. Without a `page`, which not every browser can encrypt, it is refetched. */
export interface Entry {
  readonly page?: Sealed | Page
  readonly scroll?: Position
  /** The flash of a page that could not be drawn, for the document loaded in its place. */
  readonly toTell?: Pick<Flash, 'success' | 'error'>
}

/**
 * Stores a page in a new history entry or in the current one, encrypted if the page says so. Temporary errors
 * (429, 5xx) are not stored: the next request may succeed.
 */
export async function storePage(
  page: Page,
  how: 'push' | 'replace',
  address: string,
): Promise<void> {
  const isFault = 'status' in page.props && page.props.status >= 429
  const { href } = location
  const kept = isFault ? undefined : await sealedIfAsked(page)
  // The person has gone back or forward meanwhile: the current entry belongs to another page.
  if (location.href !== href) return
  if (how === 'replace') {
    history.replaceState({ page: kept, scroll: currentEntry()?.scroll }, '', address)
    return
  }
  storeScroll()
  history.pushState({ page: kept }, '', address)
}

/** Returns the page stored in an entry; undefined if there is none, or none that can be decrypted. */
export async function readPage(from: Entry | null): Promise<Page | undefined> {
  const kept = from?.page
  if (!kept || !('iv' in kept)) return kept
  const key = await historyKey()
  return key && (unseal(key, kept) as Promise<Page | undefined>)
}

/** Returns the state of the current entry; null if nothing was stored in it yet. */
export function currentEntry(): Entry | null {
  return history.state as Entry | null
}

let scrolled: number | undefined

/** Stores the scroll position in the current entry after a delay: browsers rate-limit history updates. */
export function storeScrollSoon(): void {
  clearTimeout(scrolled)
  scrolled = window.setTimeout(storeScroll, 150)
}

/** Stores the scroll position immediately: the entry is about to be left. */
export function storeScroll(): void {
  clearTimeout(scrolled)
  history.replaceState({ ...currentEntry(), scroll: [scrollX, scrollY] }, '')
}

/** Scrolls to the position stored in the current entry, if any. */
export function scrollBack(): void {
  const scroll = currentEntry()?.scroll
  if (scroll) scrollTo(...scroll)
}

/** Discards a scroll position not stored yet: its entry is no longer the current one. */
export function dropScroll(): void {
  clearTimeout(scrolled)
}

async function sealedIfAsked(page: Page): Promise<Entry['page']> {
  const kept = asStored(page)
  if (!page.encryptHistory) return kept
  const key = await historyKey()
  return key && seal(key, kept)
}

/**
 * Returns a page as the history stores it: without flash, typed text and its errors, and without recovery
 * codes, which are only shown on request.
 */
export function asStored(page: Page): Page {
  const pageProps: Page['props'] & { readonly recoveryCodes?: unknown } = page.props
  const { old: _typed, recoveryCodes: _asked, ...props } = pageProps
  return { ...page, props: { ...props, errors: {} }, flash: {}, clearHistory: false }
}
