import type { clientWords } from '#words/client'
import type { historyKey, loggedOutAt, randomText } from './history-key.ts'
import type { isLoading, stayHere } from './leaving.ts'
import type { withProgress } from './progress.ts'
import type { ask, transfer, urlencoded } from './request.ts'
import type { seal, unseal } from './seal.ts'
import type { applySheet } from './sheets.ts'
import type { prepare, show, showAnswer, shown, shownTo } from './shown-page.ts'
import type { toast } from './toasts.ts'
import type { typedText, typing } from './typed-text.ts'
import type { unanswered } from './unanswered.ts'
import type { during, inTurn, present, take, underWay, visit } from './visits.ts'

export interface Reload {
  /** The props to ask for; the whole page when there are none. */
  readonly only?: readonly string[]
  /** Whether nothing may stay as it is, whatever is lost by that: somebody has logged out. */
  readonly isUrgent?: boolean
}

/** What the page client lends to its parts, which must not import it: every page would wait for one more file. */
export interface Client {
  readonly applySheet: typeof applySheet
  readonly ask: typeof ask
  readonly during: typeof during
  readonly historyKey: typeof historyKey
  readonly inTurn: typeof inTurn
  readonly isLoading: typeof isLoading
  readonly loggedOutAt: typeof loggedOutAt
  readonly prepare: typeof prepare
  readonly present: typeof present
  readonly randomText: typeof randomText
  readonly reload: (how?: Reload) => Promise<void>
  readonly seal: typeof seal
  readonly show: typeof show
  readonly showAnswer: typeof showAnswer
  readonly shown: typeof shown
  readonly shownTo: typeof shownTo
  readonly stayHere: typeof stayHere
  readonly take: typeof take
  readonly toast: typeof toast
  readonly transfer: typeof transfer
  readonly typedText: typeof typedText
  readonly typing: typeof typing
  readonly unanswered: typeof unanswered
  readonly underWay: typeof underWay
  readonly unseal: typeof unseal
  readonly urlencoded: typeof urlencoded
  readonly visit: typeof visit
  readonly withProgress: typeof withProgress
  readonly words: Pick<typeof clientWords, 'gone' | 'notAPage'>
}
