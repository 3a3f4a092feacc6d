import { clientWords } from '#words/client/client'
import { historyKey, loggedOutAt, randomText } from './history/history-key.ts'
import { isLoading, stayHere } from './requests/leaving.ts'
import { upload, withProgress } from './page/progress.ts'
import { ask, transfer, urlencoded } from './requests/request.ts'
import { seal, unseal } from './history/seal.ts'
import { applySheet } from './page/sheets.ts'
import { prepare, show, showAnswer, shown, shownTo } from './page/shown-page.ts'
import { toast } from './page/toasts.ts'
import { typedText, typing } from './page/typed-text.ts'
import { unanswered } from './page/unanswered.ts'
import { during, inTurn, present, take, underWay, visit } from './visits/visits.ts'

/** What the page client passes to its parts. They must not import it: every page would load one more file. */
export const clientApi = {
  applySheet,
  ask,
  during,
  historyKey,
  inTurn,
  isLoading,
  loggedOutAt,
  prepare,
  present,
  randomText,
  seal,
  show,
  showAnswer,
  shown,
  shownTo,
  stayHere,
  take,
  toast,
  transfer,
  typedText,
  typing,
  unanswered,
  underWay,
  unseal,
  upload,
  urlencoded,
  visit,
  withProgress,
  words: { gone: clientWords.gone, notAPage: clientWords.notAPage },
} as const

export type Client = typeof clientApi & { readonly reload: (how?: Reload) => Promise<unknown> }

export interface Reload {
  /** The props to reload; the whole page if absent. */
  readonly only?: readonly string[]
  /** Whether to reload at any cost, even of typed text: a login has ended. */
  readonly isUrgent?: boolean
}
