import type { Flash, Page } from '../../contract/pages.ts'
import { documentTitle } from '../../contract/name.ts'
import { unlessStalled } from './after.ts'
import { entry as present, keep, type Position, rememberScroll, scrollBack } from './entries.ts'
import { announce, focusFirst, focusHeading } from './focus.ts'
import { forgetHistory } from './history-key.ts'
import { load } from './leaving.ts'
import { makeToasts, toast } from './toasts.ts'
import { typing } from './typed-text.ts'
import { unanswered } from './unanswered.ts'

/** Draws a page that everything is loaded for, and returns its title. */
type Draw = (how: { readonly first: boolean }) => Promise<string>

/** Loads the modules and the stylesheet that a page is drawn with. */
type Prepare = (page: Page) => Promise<Draw>

export interface Place {
  /** The history gets a new entry, the present entry is replaced, or all stays as it is. */
  readonly entry: 'push' | 'replace' | 'same'
  /** Where the page is scrolled to: its top, where it was, the first field with an error, or a position. */
  readonly at: 'top' | 'stay' | 'error' | Position
  /** The part of the address from `#` on. */
  readonly hash?: string
}

// Milliseconds that the modules of a page may take to load. Then the browser loads the page as a document.
const longestLoad = 30_000

let frontend: Prepare
let page: Page
let drawn: Page

/** Loads what a page is drawn with, and draws nothing; rejects where that cannot be loaded. */
export function prepare(page: Page): Promise<Draw> {
  return frontend(page)
}

/** The page that is shown, or will be once what draws it is loaded. */
export function shown(): Page {
  return page
}

/**
 * The header that says to whom the page was shown whose forms the person sees: somebody else may have logged in since,
 * in another tab.
 */
export function shownTo(): Record<string, string> {
  const id = userOf(drawn)
  return id ? { 'X-Page-User': `${id}` } : {}
}

/**
 * Draws the document's own page over the server's markup. False when the person went back or forward meanwhile: the
 * entry of the history is another page's then.
 */
export async function open(prepares: Prepare, first: Page): Promise<boolean> {
  frontend = prepares
  page = drawn = first
  history.scrollRestoration = 'manual'
  makeToasts()
  announce('')
  const draw = await prepare(first)
  await draw({ first: true })
  clearIfAsked(first)
  const isHere = !history.state || location.pathname + location.search === page.url
  const flash = { ...present()?.toTell, ...first.flash }
  if (isHere) await keep(first, 'replace', location.href)
  tell(flash)
  if (!hasErrors(first) || !(await focusInvalid())) focusFirst()
  // A person who has scrolled already stays there. With a part after `#` it was the browser that scrolled.
  if (!scrollY || location.hash) scrollBack()
  return isHere
}

/**
 * Shows the page that an answer leads to. Before anything is kept in the history, that is cleared if the answer says
 * so; the flash is told when what it is about is drawn.
 */
export async function showAnswer(answer: Page, next: Page, place: Place): Promise<void> {
  clearIfAsked(answer)
  await show(next, place)
  tell(answer.flash)
}

/** Clears the history and tells the flash as an answer says that is not shown itself. */
export function hear(answer: Page): void {
  clearIfAsked(answer)
  tell(answer.flash)
}

/** Shows a page in place of the present one. */
export async function show(next: Page, { entry, at, hash = '' }: Place): Promise<void> {
  if (isOfAnother(next)) emptyForms()
  const before = page
  page = next
  if (entry !== 'same') await keep(next, entry, next.url + hash)
  await redraw()
  const isFocused = at === 'error' && (await focusInvalid(before))
  if (page === next) settle(at, hash, isFocused)
}

/**
 * Moves the focus to the field that is to be typed anew. Its module came with the first sign of somebody, or comes now.
 */
async function focusInvalid(before?: Page): Promise<boolean | undefined> {
  const typed = await unlessStalled(import('../typed/typed.ts'))
  return typed?.focusInvalid(announce, page, before)
}

/** Whether somebody else has logged in since, in another tab. */
function isOfAnother(next: Page): boolean {
  const before = userOf(drawn)
  const now = userOf(next)
  return Boolean(before && now && before !== now)
}

function userOf({ props }: Page): number | undefined {
  return props.auth.user?.id
}

/** Empties forms and closes dialogs: a frontend leaves what is typed in a field that the next page has too. */
function emptyForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('#app form')) form.reset()
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
}

function clearIfAsked({ clearHistory, props }: Page): void {
  if (clearHistory) forgetHistory(!props.ended)
}

function tell({ success, error }: Flash): void {
  if (success) toast('success', success)
  if (error) toast('error', error)
}

export function hasErrors({ props }: Page): boolean {
  return Object.keys(props.errors).length > 0
}

// A page whose module took its time may be drawn after a newer one; then the newer is drawn again.
async function redraw(): Promise<void> {
  const next = page
  const late = setTimeout(() => loadAnew(next), longestLoad)
  try {
    const draw = await prepare(next)
    const title = await draw({ first: false })
    drawn = next
    if (page === next) document.title = documentTitle(next, title)
  } catch (error) {
    // Its module could not be loaded: the network is gone, or another build is out.
    console.error(error)
    loadAnew(next)
  }
  clearTimeout(late)
  if (page !== next) await redraw()
}

/** Has the browser load a page that cannot be drawn, unless the person has gone elsewhere. */
function loadAnew(next: Page): void {
  if (page !== next) return
  if (!navigator.onLine) return unanswered.page()
  typing.undrawn?.(next)
  // Not by its address, which would take the place of the entry, and of what that has to tell.
  load()
}

function settle(at: Place['at'], hash: string, isFocused?: boolean): void {
  rememberScroll()
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
