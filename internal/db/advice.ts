import { errorCode } from '../base/error-code.ts'
import { DatabaseBusy } from './db.ts'

/** What can be done about errors of a database, by their codes, as a person at a terminal reads it. The first counts. */
export type Advices = readonly Advice[]

interface Advice {
  readonly codes: RegExp
  /** All of what the database said. */
  readonly says?: RegExp
  /** One sentence. `$1` and so on stand for what `says` caught. */
  readonly advice: string
}

const anything = /^.*$/s

/** What can be done about an error, or what brought it about; undefined where it says so itself, or nothing is known. */
export function adviceAmong(advices: Advices, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  const found = advices.find(
    ({ codes, says = anything }) => codes.test(errorCode(error)) && says.test(message),
  )
  if (found) return message.replace(found.says ?? anything, found.advice)
  // What ends with a full stop was written for a person; that of a database which takes nothing has its words alone.
  const isTold = /[.!]$/.test(message) && !(error instanceof DatabaseBusy)
  return isTold ? undefined : adviceAmong(advices, error.cause)
}
