import { clientWords } from '#words/client'
import { historyKey, loggedOutAt, randomText } from './history-key.ts'
import { isLoading, stayHere } from './leaving.ts'
import { upload, withProgress } from './progress.ts'
import { ask, transfer, urlencoded } from './request.ts'
import { seal, unseal } from './seal.ts'
import { applySheet } from './sheets.ts'
import { prepare, show, showAnswer, shown, shownTo } from './shown-page.ts'
import { toast } from './toasts.ts'
import { typedText, typing } from './typed-text.ts'
import { unanswered } from './unanswered.ts'
import { during, inTurn, present, take, underWay, visit } from './visits.ts'

/** What the page client has for its parts, which must not import it: every page would wait for one more file. */
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
  /** The props to ask for; the whole page when there are none. */
  readonly only?: readonly string[]
  /** Whether nothing may stay as it is, whatever is lost by that: somebody has logged out. */
  readonly isUrgent?: boolean
}
