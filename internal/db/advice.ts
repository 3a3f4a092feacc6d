import { errorCode } from '../base/error-code.ts'
import { DatabaseBusy } from './db.ts'

/** What a person at a terminal can do about errors of a database, by their codes. The first entry that fits counts. */
export type Advices = readonly Advice[]

interface Advice {
  readonly codes: RegExp
  /** Matches the whole message of the database: the advice takes the message's place. */
  readonly pattern?: RegExp
  /**
   * One sentence. `$1` and so on stand for what `pattern` caught, `{schema}` and `{user}` for those of the
   * error's `context`.
   */
  readonly advice: string
}

/** The schema and the user of a statement that was refused, each written as in a statement. */
export interface StatementContext {
  readonly schema: string
  readonly user: string
}

const anything = /^.*$/s

/** What can be done about an error, or what brought it about; undefined where it says so itself, or nothing is known. */
export function adviceAmong(advices: Advices, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  const found = advices.find(
    ({ codes, pattern = anything }) => codes.test(errorCode(error)) && pattern.test(message),
  )
  if (found) return filled(message.replace(found.pattern ?? anything, found.advice), error)
  // A message with a full stop was written for a person, but `DatabaseBusy` may only repeat the database's own words.
  const isForPeople = /[.!]$/.test(message) && !(error instanceof DatabaseBusy)
  return isForPeople ? undefined : adviceAmong(advices, error.cause)
}

function filled(advice: string, error: Error & { context?: StatementContext }): string {
  const { schema = '…', user = 'the user in DB_URL' } = error.context ?? {}
  return advice.replaceAll('{schema}', () => schema).replaceAll('{user}', () => user)
}
