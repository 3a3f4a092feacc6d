import type { Flash, Page } from '../../../contract/pages.ts'
import { documentTitle } from '../../../contract/name.ts'
import { unlessStalled } from '../requests/time-limits.ts'
import {
  currentEntry,
  type Position,
  scrollBack,
  storePage,
  storeScrollSoon,
} from '../history/entries.ts'
import { announce, focusFirst, focusHeading } from './focus.ts'
import { forgetHistory } from '../history/history-key.ts'
import { loadDocument } from '../requests/leaving.ts'
import { makeToasts, toast } from './toasts.ts'
import { typing } from './typed-text.ts'
import { unanswered } from './unanswered.ts'

/** Draws a page whose modules are loaded, and returns its title. */
type Draw = (how: { readonly first: boolean }) => Promise<string>

/** Loads the modules and the stylesheet that a page needs. */
type Prepare = (page: Page) => Promise<Draw>

export interface Place {
  /** Pushes a new history entry, replaces the current one, or leaves the history alone. */
  readonly entry: 'push' | 'replace' | 'same'
  /** The scroll target: the top, the current position, the first invalid field, or given coordinates. */
  readonly at: 'top' | 'stay' | 'error' | Position
  /** The fragment of the URL, with its `#`. */
  readonly hash?: string
}

// How long a page's modules may take to load before the browser loads it as a document.
const longestLoadMs = 30_000

let frontend: Prepare
let page: Page
let drawn: Page

/** Loads what a page is drawn with, but draws nothing; rejects if it cannot be loaded. */
export function prepare(page: Page): Promise<Draw> {
  return frontend(page)
}

/** Returns the current page, which may still be loading what draws it. */
export function shown(): Page {
  return page
}

/** Returns a header with the user of the drawn page: another one may have logged in since, in another tab. */
export function shownTo(): Record<string, string> {
  const id = userOf(drawn)
  return id ? { 'X-Page-User': `${id}` } : {}
}

/**
 * Draws the document's own page over the server's markup. Returns false if the person went back or forward
 * meanwhile: the history entry then belongs to another page.
 */
export async function drawFirst(prepares: Prepare, first: Page): Promise<boolean> {
  frontend = prepares
  page = drawn = first
  history.scrollRestoration = 'manual'
  makeToasts()
  announce('')
  const draw = await prepare(first)
  await draw({ first: true })
  clearIfAsked(first)
  const isHere = !history.state || location.pathname + location.search === page.url
  const flash = { ...currentEntry()?.toTell, ...first.flash }
  if (isHere) await storePage(first, 'replace', location.href)
  showFlash(flash)
  if (!hasErrors(first) || !(await focusInvalid())) focusFirst()
  // Unless the person has scrolled already. With a fragment it was the browser that scrolled.
  if (!scrollY || location.hash) scrollBack()
  return isHere
}

/** Shows an answer's page: first clears the history if the answer says so, at last shows the flash. */
export async function showAnswer(answer: Page, next: Page, place: Place): Promise<void> {
  clearIfAsked(answer)
  await show(next, place)
  showFlash(answer.flash)
}

/** Clears the history and shows the flash as an answer asks, without showing its page. */
export function applyWithoutPage(answer: Page): void {
  clearIfAsked(answer)
  showFlash(answer.flash)
}

/** Shows a page in place of the current one. */
export async function show(next: Page, { entry, at, hash = '' }: Place): Promise<void> {
  if (isOfAnotherUser(next)) emptyForms()
  const before = page
  page = next
  if (entry !== 'same') await storePage(next, entry, next.url + hash)
  await redraw()
  const isFocused = at === 'error' && (await focusInvalid(before))
  if (page === next) settle(at, hash, isFocused)
}

/** Focuses the first invalid field. Its module was loaded at the first sign of activity, or is loaded now. */
async function focusInvalid(before?: Page): Promise<boolean | undefined> {
  const typed = await unlessStalled(import('../../typed/typed.ts'))
  return typed?.focusInvalid(announce, page, before)
}

/** Whether another user has logged in since, in another tab. */
function isOfAnotherUser(next: Page): boolean {
  const before = userOf(drawn)
  const now = userOf(next)
  return Boolean(before && now && before !== now)
}

function userOf({ props }: Page): number | undefined {
  return props.auth.user?.id
}

/** Resets forms and closes dialogs: frontends keep typed text in a field that the next page has too. */
function emptyForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('#app form')) form.reset()
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
}

function clearIfAsked({ clearHistory, props }: Page): void {
  if (clearHistory) forgetHistory(!props.ended)
}

function showFlash({ success, error }: Flash): void {
  if (success) toast('success', success)
  if (error) toast('error', error)
}

export function hasErrors({ props }: Page): boolean {
  return Object.keys(props.errors).length > 0
}

// A page whose modules loaded slowly may be drawn after a newer one; the newer one is then drawn again.
async function redraw(): Promise<void> {
  const next = page
  const late = setTimeout(() => loadAnew(next), longestLoadMs)
  try {
    const draw = await prepare(next)
    const title = await draw({ first: false })
    drawn = next
    if (page === next) document.title = documentTitle(next, title)
  } catch (error) {
    // A module failed to load: the network is gone, or a new build was deployed.
    console.error(error)
    loadAnew(next)
  }
  clearTimeout(late)
  if (page !== next) await redraw()
}

/** Lets the browser load a page that cannot be drawn, unless the person has gone elsewhere. */
function loadAnew(next: Page): void {
  if (page !== next) return
  if (!navigator.onLine) return unanswered.page()
  typing.undrawn?.(next)
  // Not by its URL: that would replace the history entry, and the flash stored in it.
  loadDocument()
}

function settle(at: Place['at'], hash: string, isFocused?: boolean): void {
  storeScrollSoon()
  if (at === 'stay') return
  document.querySelector('[data-menu][open]')?.removeAttribute('open')
  if (isFocused) return
  announce(document.title)
  const target = typeof at === 'string' && hash && document.getElementById(hash.slice(1))
  focusHeading(target || document)
  if (typeof at !== 'string') return scrollTo(...at)
  if (target) target.scrollIntoView()
  else scrollTo(0, 0)
}
