import { errorCode } from '../base/error-code.ts'
import { DatabaseBusy } from './db.ts'
import { DatabaseDamaged } from './snapshot.ts'

/** What a person at a terminal can do about database errors, by error code. The first matching entry wins. */
export type Advices = readonly Advice[]

interface Advice {
  readonly codes: RegExp
  /** Must match the database's whole message; the advice then replaces the message. */
  readonly pattern?: RegExp
  /**
   * One sentence. `$1` and so on stand for the groups that `pattern` captured, `{schema}` and `{user}` for those of
   * the error's `context`.
   */
  readonly advice: string
}

/** The schema and the user of a refused statement, each quoted as in SQL. */
export interface StatementContext {
  readonly schema: string
  readonly user: string
}

const howCorrected = 'Correct it in the database, or restore a backup.'
const anything = /^.*$/s

/** What to do about an error, or what caused it; undefined if its message says so already or nothing is known. */
export function adviceAmong(advices: Advices, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof DatabaseDamaged) return howCorrected
  const { message } = error
  const match = advices.find(
    ({ codes, pattern = anything }) => codes.test(errorCode(error)) && pattern.test(message),
  )
  if (match) return filled(message.replace(match.pattern ?? anything, match.advice), error)
  // A message that ends with a full stop was written for people, but `DatabaseBusy` may only repeat the database's own
  // words.
  const isForPeople = /[.!]$/.test(message) && !(error instanceof DatabaseBusy)
  return isForPeople ? undefined : adviceAmong(advices, error.cause)
}

function filled(advice: string, error: Error & { context?: StatementContext }): string {
  const { schema = '…', user = 'the user in DB_URL' } = error.context ?? {}
  return advice.replaceAll('{schema}', () => schema).replaceAll('{user}', () => user)
}
