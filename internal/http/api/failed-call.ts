import { apiWords } from '../../../web/contract/words/api.ts'
import { type Answer, json } from '../answer.ts'
import { logCallRefused } from '../log/log-failure.ts'
import type { Call } from './call.ts'

/** Refuses a call for invalid fields, with an error for each. */
export function invalidCall(
  c: Call,
  errors: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return json(422, { message: c.words.errors.invalid, errors }, headers)
}

/** Refuses a throttled call, with the seconds until the next is let in. */
export function tooManyCalls(c: Call, seconds: number): Answer {
  logCallRefused(c, 'too many requests')
  return json(429, { message: apiWords.wait(seconds) }, { 'Retry-After': String(seconds) })
}
