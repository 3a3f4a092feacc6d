import type { Page } from '../../contract/pages.ts'
import type { Client } from '../core/client-api.ts'
import type { Entry } from '../core/entries.ts'

/**
 * Keeps, in the present history entry, what a page tells that could not be drawn: its flash, and of a form that failed
 * the first error; else what toasts tell.
 */
export function keepToTell({ flash, props }: Page): void {
  const {
    success = toastText('success'),
    error = Object.values(props.errors)[0] ?? toastText('error'),
  } = flash
  const entry = history.state as Entry | null
  history.replaceState({ ...entry, toTell: { success, error } } satisfies Entry, '')
}

/** Tells why a form failed whose page is not shown, or not for long. */
export function tellFailure({ toast }: Client, { props }: Page): void {
  const failure = 'status' in props ? props.message : Object.values(props.errors)[0]
  if (failure) toast('error', failure)
}

/** What the last toast of a kind tells; undefined where none does. */
function toastText(kind: 'success' | 'error'): string | undefined {
  return [...document.querySelectorAll(`#toasts [data-kind="${kind}"] > p`)].at(-1)?.textContent
}
