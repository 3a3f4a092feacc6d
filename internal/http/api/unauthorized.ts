import { apiWords } from '../../../web/contract/words/api.ts'
import { type Answer, json } from '../answer.ts'
import { logCallRefused } from '../log/log-failure.ts'
import type { Call } from './call.ts'

/** Turns away a call without a valid token, or whose token ended while the call was being answered. */
export function unauthorized(c: Call, why: 'no token' | 'unknown token' | 'token ended'): Answer {
  logCallRefused(c, why)
  const message = why === 'no token' ? apiWords.noToken : apiWords.unknownToken
  return json(401, { message }, { 'WWW-Authenticate': 'Bearer' })
}
