import { paths } from '../../web/contract/paths.ts'
import { errorWords, tryAgainIn } from '#words/errors'
import { type Answer, json, seeOther } from './answer.ts'
import { type Fields, listOf, textOf } from './body/fields.ts'
import { vary } from './page/page.ts'
import { cameFrom } from './reply.ts'
import type { Context } from './context.ts'

/** Sends a form back to its page with an error for each field that failed (spec: Page delivery 3). */
export function invalid(
  c: Context,
  errors: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Answer {
  if (c.wantsJson)
    return json(422, { message: errorWords.invalid, errors }, { Vary: vary, ...headers })
  c.session = { ...c.session, errors }
  const old = typedValues(c)
  if (!c.protocol && old) c.session = { ...c.session, old }
  return seeOther(cameFrom(c, c.ownPage ?? paths.home), { Vary: vary, ...headers })
}

/**
 * The same for a form that another one was a moment ahead of. A plain form may have been sent twice: its first answer
 * logged the browser in, and its second takes that login not away. The page client sends no form that is in flight.
 */
export function sentTwice(c: Context, errors: Readonly<Record<string, string>>): Answer {
  c.keepsCookie = !c.protocol && !c.wantsJson
  return invalid(c, errors)
}

/** Sends a form back that was tried too often; `field` is its first credential (contract: Names). */
export function tooManyTries(c: Context, field: string, seconds: number): Answer {
  const message = tryAgainIn(seconds)
  return invalid(c, { [field]: message }, { 'Retry-After': String(seconds) })
}

const secret = /password|token|code|credential|^_/

function typedValues({ fields }: Context): Record<string, string> | undefined {
  if (!fields) return undefined
  const names = [...fields.keys()].filter((name) => !secret.test(name))
  return Object.fromEntries(names.map((name) => [name, typedIn(fields, name)]))
}

function typedIn(fields: Fields, name: string): string {
  const sent = listOf(fields, name)
  return sent.length > 1 && sent.every(isText) ? sent.join(' ') : textOf(fields, name)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
