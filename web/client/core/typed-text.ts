import type { Page } from '../../contract/pages.ts'
import { unlessStalled } from './after.ts'

/** Where session storage has what was typed in this tab, sealed. */
export const typedText = 'typedText'

/** What `typed.ts` knows once something is typed: it is loaded then. */
export const typing: {
  /** Whether something is typed that is gone once the document is loaded anew. */
  hasUnkept?: () => boolean
  /** Told the page that a form led to. Returns what fills in again what was typed into it since, after it is reset. */
  answered?: (form: HTMLFormElement | undefined, answer: Page) => (() => void) | undefined
  /** Told that what a form led to is a document to be loaded. Resolves once that is kept for it. */
  elsewhere?: (form: HTMLFormElement | undefined) => Promise<unknown> | undefined
} = {}

/** What tells that somebody is there, whatever they have: a mouse, a finger, keys, or a program that fills in. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'input'] as const

let seenTo: Promise<unknown> | undefined

/**
 * Has what was typed before seen to, or else what is typed from now on. It is loaded with the first sign of somebody, and
 * not with the page, which it would keep from being ready.
 */
export function onTyped(first: () => Promise<unknown>): void {
  const heard = new AbortController()
  const begin = (sign?: Event) => {
    const { movementX, movementY } = (sign ?? {}) as Partial<PointerEvent>
    // Chromium tells now and then of a pointer that stands still, as a page is shown to nobody.
    if (movementX === 0 && movementY === 0 && sign?.type === 'pointermove') return
    heard.abort()
    seenTo = first()
  }
  if (sessionStorage.getItem(typedText)) begin()
  else for (const sign of signs) addEventListener(sign, begin, { signal: heard.signal })
}

/** Resolves once what was typed so far is kept, or cannot be: a hand may be quicker than what keeps it. */
export async function typedKept(): Promise<void> {
  if (seenTo) await unlessStalled(seenTo)
  seenTo = undefined
}
