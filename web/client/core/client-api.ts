import type { clientWords } from '#words/client'
import type { withProgress } from './progress.ts'
import type { ask, transfer, urlencoded } from './request.ts'
import type { show, shown } from './shown-page.ts'
import type { toast } from './toasts.ts'
import type { during, inTurn, reload, visit } from './visits.ts'

/** What the page client lends to its parts, which must not import it: every page would wait for one more file. */
export interface Client {
  readonly ask: typeof ask
  readonly during: typeof during
  readonly inTurn: typeof inTurn
  readonly reload: typeof reload
  readonly show: typeof show
  readonly shown: typeof shown
  readonly toast: typeof toast
  readonly transfer: typeof transfer
  readonly urlencoded: typeof urlencoded
  readonly visit: typeof visit
  readonly withProgress: typeof withProgress
  readonly words: typeof clientWords
}
