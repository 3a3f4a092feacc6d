import type { Page } from '../../../contract/pages.ts'
import { unlessStalled } from '../requests/time-limits.ts'

/** Session storage key of the text typed in this tab, encrypted. */
export const typedText = 'typedText'

/** Implemented by `typed.ts` once loaded, at the first sign of activity. */
export const typing: {
  /** Whether there is typed text that a reload of the document would lose. */
  hasUnkept?: () => boolean
  /**
   * Called with a form's answer. The function it returns restores, after a reset, what was typed meanwhile.
   */
  answered?: (form: HTMLFormElement | undefined, answer: Page) => (() => void) | undefined
  /** Called with a form's answer that is not shown, or not for long: the person has gone on meanwhile. */
  heard?: (form: HTMLFormElement | undefined, answer: Page) => void
  /** Called when a form leads to a new document. Resolves once what that document needs is stored. */
  elsewhere?: (form: HTMLFormElement | undefined) => Promise<unknown> | undefined
  /** Called with a page that could not be drawn: the document loaded instead must show its messages. */
  undrawn?: (page: Page) => void
  /** The body of the form in flight until it is answered, also for a module that loads meanwhile. */
  sent?: FormData | URLSearchParams
} = {}

/** Signs of activity by mouse, touch, keyboard, or a program that fills in fields. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'input'] as const

let preserving: Promise<unknown> | undefined

/**
 * Calls `preserve` at once if this tab has stored text, else at the first sign of activity: loading its module
 * together with the page would delay the page.
 */
export function onActivity(preserve: () => Promise<unknown>): void {
  const noticed = new AbortController()
  const begin = (sign?: Event) => {
    const { movementX, movementY } = (sign ?? {}) as Partial<PointerEvent>
    // Chromium sometimes sends a pointer event without movement when a hidden page is shown.
    if (movementX === 0 && movementY === 0 && sign?.type === 'pointermove') return
    noticed.abort()
    preserving = preserve()
  }
  if (sessionStorage.getItem(typedText)) begin()
  else for (const sign of signs) addEventListener(sign, begin, { signal: noticed.signal })
}

/** Resolves once text typed so far is stored, or cannot be: people may act before the module is loaded. */
export async function typedKept(): Promise<void> {
  if (preserving) await unlessStalled(preserving)
  preserving = undefined
}
