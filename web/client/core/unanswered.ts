import { clientWords } from '#words/client'
import type { Position } from './entries.ts'
import { load } from './leaving.ts'
import { toast } from './toasts.ts'

/** What is done where there is no answer. `offline.ts`, once it is loaded, replaces both. */
export const unanswered = {
  /** A press had no answer. If it was a form, the server may have taken it all the same. */
  press: (_ofForm?: boolean): void => toast('error', clientWords.gone),
  /** The page of the present address cannot be had: the browser tries, and its own error page says what is wrong. */
  page: (_restored?: Position, _isLoggedOut?: boolean): void => load(),
}
