import { vary } from '../page/protocol.ts'
import { paths } from '../../../web/contract/paths.ts'
import { type Answer, json, seeOther } from '../answer.ts'
import { typedValues } from '../body/typed-values.ts'
import { isOfAnotherBuild } from '../page/another-build.ts'
import { cameFrom } from '../reply.ts'
import type { Context } from '../context.ts'

/** Sends a form back to its page with an error for each field that failed (spec: Page delivery 3). */
export function invalid(
  c: Context,
  errors: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Answer {
  c.isRefused = true
  if (c.wantsJson)
    return json(422, { message: c.words.errors.invalid, errors }, { Vary: vary, ...headers })
  c.session = { ...c.session, errors }
  // A client of another build must reload the page, and may be too old to keep the typed text.
  if ((!c.protocol || isOfAnotherBuild(c)) && c.fields)
    c.session = { ...c.session, old: typedValues(c.fields) }
  return seeOther(cameFrom(c, c.ownPage ?? paths.home), { Vary: vary, ...headers })
}

/**
 * Sends a form back that followed another within moments. A plain form may have been sent twice: the first
 * answer logged the browser in, and the second must not log it out again. The page client never resends a
 * form in flight.
 */
export function sentTwice(c: Context, errors: Readonly<Record<string, string>>): Answer {
  noteSentTwice(c)
  return invalid(c, errors)
}

/** Makes the answer to a plain form leave the session alone, and with it the login of the first answer. */
export function noteSentTwice(c: Context): void {
  c.keepsCookie ||= isPlain(c)
}

/** Whether the browser sent a form itself, without the page's script. */
export function isPlain({ protocol, wantsJson }: Context): boolean {
  return !protocol && !wantsJson
}

/** Sends a throttled form back; `field` is its first credential (contract: Names). */
export function tooManyTries(c: Context, field: string, seconds: number): Answer {
  const message = c.words.tryAgainIn(seconds)
  return invalid(c, { [field]: message }, { 'Retry-After': String(seconds) })
}
