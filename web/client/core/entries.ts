import type { Flash, Page } from '../../contract/pages.ts'
import { historyKey } from './history-key.ts'
import { seal, type Sealed, unseal } from './seal.ts'

export type Position = readonly [x: number, y: number]

/** What a history entry holds. The page is absent where the browser cannot seal it: it is fetched anew. */
export interface Entry {
  readonly page?: Sealed | Page
  readonly scroll?: Position
  /** What a page tells that could not be drawn, for the document that is loaded in its place. */
  readonly toTell?: Pick<Flash, 'success' | 'error'>
}

/**
 * Keeps a page in a new history entry, or in the present one; sealed if the page says so. A page that says that the
 * service could not answer is not kept: the next time it may.
 */
export async function keep(page: Page, how: 'push' | 'replace', address: string): Promise<void> {
  const isFault = 'status' in page.props && page.props.status >= 429
  const { href } = location
  const kept = isFault ? undefined : await sealed(page)
  // The person has gone back or forward meanwhile: the present entry is another page's.
  if (location.href !== href) return
  if (how === 'replace') {
    history.replaceState({ page: kept, scroll: entry()?.scroll }, '', address)
    return
  }
  noteScroll()
  history.pushState({ page: kept }, '', address)
}

/** The page an entry holds, or undefined when it holds none that can be read. */
export async function recall(from: Entry | null): Promise<Page | undefined> {
  const kept = from?.page
  if (!kept || !('iv' in kept)) return kept
  const key = await historyKey()
  return key && (unseal(key, kept) as Promise<Page | undefined>)
}

/** The present entry; null before anything was kept in it. */
export function entry(): Entry | null {
  return history.state as Entry | null
}

let scrolled: number | undefined

/** Notes the scroll position in the present entry, soon: browsers limit how often an entry may be written. */
export function rememberScroll(): void {
  clearTimeout(scrolled)
  scrolled = window.setTimeout(noteScroll, 150)
}

/** Notes the scroll position now: the entry is about to be left. */
export function noteScroll(): void {
  clearTimeout(scrolled)
  history.replaceState({ ...entry(), scroll: [scrollX, scrollY] }, '')
}

/** Scrolls to where the present entry was left; nowhere for one that nobody has scrolled in. */
export function scrollBack(): void {
  const scroll = entry()?.scroll
  if (scroll) scrollTo(...scroll)
}

/** Drops a position not noted yet: the entry it belongs to is no longer the present one. */
export function dropScroll(): void {
  clearTimeout(scrolled)
}

async function sealed(page: Page): Promise<Entry['page']> {
  const kept = keepable(page)
  if (!page.encryptHistory) return kept
  const key = await historyKey()
  return key && seal(key, kept)
}

/**
 * A page as the history keeps it: without flash, and without recovery codes, which are asked for alone. What was typed
 * is not kept, nor are the errors in it.
 */
export function keepable(page: Page): Page {
  const pageProps: Page['props'] & { readonly recoveryCodes?: unknown } = page.props
  const { old: _typed, recoveryCodes: _asked, ...props } = pageProps
  return { ...page, props: { ...props, errors: {} }, flash: {}, clearHistory: false }
}
