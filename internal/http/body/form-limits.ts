import { Refusal } from '../answer.ts'
import { withoutSpace } from '../../base/text/optional-space.ts'
import type { Arrived } from '../arrived.ts'

/** Bytes of a form; of an upload, those of the other fields. */
export const mostBytes = 64 * 1024
export const mostFields = 100

/** Refuses a Content-Length above `mostBytes`, even if nobody would read the body (contract: Names). */
export function refuseLongBody(c: Arrived): void {
  if (Number(c.header('content-length') ?? 0) > mostBytes)
    throw new Refusal(413, { Connection: 'close' })
}

/** Refuses a body with a Content-Encoding: its bytes are not what its type says (RFC 9110, 15.5.16). */
export function refuseCoded(c: Arrived): void {
  const coding = withoutSpace(c.header('content-encoding') ?? '').toLowerCase()
  if (coding === '' || coding === 'identity') return
  throw new Refusal(
    415,
    { 'Accept-Encoding': 'identity' },
    'Send the body without Content-Encoding.',
  )
}

export function malformed(message: string): Refusal {
  return new Refusal(400, {}, message)
}

export function tooMany(): Refusal {
  return malformed(`Send at most ${mostFields} fields.`)
}
