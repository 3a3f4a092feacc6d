import type { Page } from '../../contract/pages.ts'
import { unlessStalled } from './after.ts'

/** Where session storage has what was typed in this tab, sealed. */
export const typedText = 'typedText'

/** What `typed.ts` does, once it is loaded: at the first sign of somebody. */
export const typing: {
  /** Whether something is typed that is gone once the document is loaded anew. */
  hasUnkept?: () => boolean
  /** Told the page that a form led to. What it returns fills in, after a reset, what was typed since the form went. */
  answered?: (form: HTMLFormElement | undefined, answer: Page) => (() => void) | undefined
  /** Told the page that a form led to, which is not shown, or not for long: the person has gone on meanwhile. */
  heard?: (form: HTMLFormElement | undefined, answer: Page) => void
  /** Told that a form led to a document to be loaded. Resolves once what that document has to know is kept. */
  elsewhere?: (form: HTMLFormElement | undefined) => Promise<unknown> | undefined
  /** Told a page that could not be drawn: a document is loaded in its place, which is to tell what that page tells. */
  undrawn?: (page: Page) => void
  /** What the form that is in flight was sent with, until it is answered: also for a module that comes meanwhile. */
  sent?: FormData | URLSearchParams
} = {}

/** Signs of somebody, whatever they have: a mouse, a finger, keys, or a program that fills in. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'input'] as const

let seenTo: Promise<unknown> | undefined

/**
 * Calls `first` at once if this tab keeps typed text, else at the first sign of somebody: what it loads, loaded with
 * the page, would keep that from being ready.
 */
export function onTyped(first: () => Promise<unknown>): void {
  const heard = new AbortController()
  const begin = (sign?: Event) => {
    const { movementX, movementY } = (sign ?? {}) as Partial<PointerEvent>
    // Now and then Chromium sends an event of a pointer that stands still, when a page is shown to nobody.
    if (movementX === 0 && movementY === 0 && sign?.type === 'pointermove') return
    heard.abort()
    seenTo = first()
  }
  if (sessionStorage.getItem(typedText)) begin()
  else for (const sign of signs) addEventListener(sign, begin, { signal: heard.signal })
}

/** Resolves once what was typed so far is kept, or cannot be: the person may be quicker than the module loads. */
export async function typedKept(): Promise<void> {
  if (seenTo) await unlessStalled(seenTo)
  seenTo = undefined
}
