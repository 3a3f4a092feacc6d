import type { Page } from '../../contract/pages.ts'
import type { Client } from '../core/client-api.ts'
import type { Entry } from '../core/history/entries.ts'

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

/**
 * Removes error toasts whenever the person goes back or forward to another page, which they are not about. The
 * notice of a lost network stays.
 */
export function dismissOnReturn(client: Client): void {
  // A `popstate` listener could run after the other page is shown.
  client.present().addEventListener('abort', () => {
    if (location.pathname + location.search !== client.shown().url)
      for (const error of document.querySelectorAll('#toasts [data-kind=error]')) error.remove()
    queueMicrotask(() => dismissOnReturn(client))
  })
}

/** Returns the text of the last toast of a kind; undefined if there is none. */
function toastText(kind: 'success' | 'error'): string | undefined {
  return [...document.querySelectorAll(`#toasts [data-kind="${kind}"] > p`)].at(-1)?.textContent
}
