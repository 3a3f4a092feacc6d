import { clientWords } from '#words/client'
import type { Position } from './entries.ts'
import { load } from './leaving.ts'
import { toast } from './toasts.ts'

/** What is done about what had no answer. `offline.ts` does better, once it is loaded. */
export const unanswered = {
  /** What a person pressed came to nothing, for all that is known; a form may have been taken for all that. */
  press: (_ofForm?: boolean): void => toast('error', clientWords.gone),
  /** The page of the present address cannot be had: the browser's own for it says what is the matter. */
  page: (_restored?: Position, _isLoggedOut?: boolean): void => load(),
}
