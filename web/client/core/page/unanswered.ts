import { clientWords } from '#words/client/client'
import type { Position } from '../history/entries.ts'
import { loadDocument } from '../requests/leaving.ts'
import { toast } from './toasts.ts'

/** What to do without an answer. `offline.ts`, once loaded, replaces both. */
export const unanswered = {
  /** A click had no answer. If it submitted a form, the server may have processed it all the same. */
  press: (_ofForm?: boolean): void => toast('error', clientWords.gone),
  /** The current page cannot be loaded: the browser tries, and its own error page says what is wrong. */
  page: (_restored?: Position, _isLoggedOut?: boolean): void => loadDocument(),
}
