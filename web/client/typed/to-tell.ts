import type { Page } from '../../contract/pages.ts'
import type { Client } from '../core/client-api.ts'
import type { Entry } from '../core/entries.ts'

/**
 * Stores the messages of a page that could not be drawn in the current history entry: its flash, or the first
 * error of a form; otherwise those of the toasts on screen.
 */
export function keepToTell({ flash, props }: Page): void {
  const {
    success = toastText('success'),
    error = Object.values(props.errors)[0] ?? toastText('error'),
  } = flash
  const entry = history.state as Entry | null
  history.replaceState({ ...entry, toTell: { success, error } } satisfies Entry, '')
}

/** Shows why a form failed whose page is not shown, or not for long. */
export function tellFailure({ toast }: Client, { props }: Page): void {
  const failure = 'status' in props ? props.message : Object.values(props.errors)[0]
  if (failure) toast('error', failure)
}

/** Returns the text of the last toast of a kind; undefined if there is none. */
function toastText(kind: 'success' | 'error'): string | undefined {
  return [...document.querySelectorAll(`#toasts [data-kind="${kind}"] > p`)].at(-1)?.textContent
}
