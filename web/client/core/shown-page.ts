import type { Page } from '../../contract/pages.ts'
import { documentTitle } from '../../contract/name.ts'
import { keep, type Position, rememberScroll, scrollBack } from './entries.ts'
import { announce, focusHeading, focusInvalid } from './focus.ts'
import { forgetHistory } from './history-key.ts'
import { load } from './leaving.ts'
import { closeMenus } from './controls.ts'
import { makeToasts, toast } from './toasts.ts'

type Draw = (page: Page, how: { readonly first: boolean }) => Promise<string>

export interface Place {
  /** What becomes of the history: a new entry, the present one written anew, or as it is. */
  readonly entry: 'push' | 'replace' | 'same'
  /** Where the person is then: on top, where they were, at the first field with an error, or at a position. */
  readonly at: 'top' | 'stay' | 'error' | Position
  /** The part of the address after `#`, with it. */
  readonly hash?: string
}

let draw: Draw
let page: Page

/** The page that is shown. */
export function shown(): Page {
  return page
}

/** Draws the document's own page over the server's markup. */
export async function open(frontend: Draw, first: Page): Promise<void> {
  draw = frontend
  page = first
  history.scrollRestoration = 'manual'
  makeToasts()
  announce('')
  await draw(first, { first: true })
  arrived(first)
  await keep(first, 'replace', location.href)
  if (hasErrors(first)) focusInvalid()
  scrollBack()
}

/** Does what an answer asks for once: its flash is told, and the history cleared if it says so. */
export function arrived({ flash, clearHistory }: Page): void {
  if (clearHistory) forgetHistory()
  if (flash.success) toast('success', flash.success)
  if (flash.error) toast('error', flash.error)
}

/** Shows a page in place of the present one. */
export async function show(next: Page, { entry, at, hash = '' }: Place): Promise<void> {
  page = next
  if (entry !== 'same') await keep(next, entry, next.url + hash)
  await redraw()
  if (page === next) settle(at, hash)
}

export function hasErrors({ props }: Page): boolean {
  return Object.keys(props.errors).length > 0
}

// A page whose module took its time may be drawn after a newer one; then the newer is drawn again.
async function redraw(): Promise<void> {
  const next = page
  try {
    const title = await draw(next, { first: false })
    if (page === next) document.title = documentTitle(next, title)
  } catch (error) {
    // Its module could not be loaded: another build is out, or the network is gone.
    console.error(error)
    load(next.url)
  }
  if (page !== next) await redraw()
}

function settle(at: Place['at'], hash: string): void {
  rememberScroll()
  if (at === 'stay') return
  closeMenus()
  if (at === 'error' && focusInvalid()) return
  announce(document.title)
  focusHeading()
  if (typeof at !== 'string') return scrollTo(...at)
  const target = hash && document.getElementById(hash.slice(1))
  if (target) target.scrollIntoView()
  else scrollTo(0, 0)
}
