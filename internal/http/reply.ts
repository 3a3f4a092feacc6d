import { path } from '../../web/contract/paths.ts'
import { words } from '../../web/contract/words.ts'
import { localPath, refererPath } from '../base/local-path.ts'
import { type Answer, json, seeOther } from './answer.ts'
import { type Fields, listOf, textOf } from './body/fields.ts'
import { vary } from './page/page.ts'
import { withFlash } from './session/session.ts'
import type { Flash } from '../../web/contract/pages.ts'
import type { Context } from './context.ts'

/** Sends the browser on to a path of this site, with its flash kept for the page that comes. */
export function redirect(c: Context, to: string, flash?: Flash): Answer {
  if (flash) c.session = withFlash(c.session, flash)
  const location = localPath(to) ?? path('home')
  return c.wantsJson
    ? json(200, { redirect: location }, { Vary: vary })
    : seeOther(location, { Vary: vary })
}

/** Where the browser came from: the Referer if it is a page of this site, else `otherwise`. */
export function cameFrom(c: Context, otherwise: string): string {
  const referer = c.header('referer')
  return (referer && refererPath(referer, c.app.config.origin)) || otherwise
}

/** Sends a form back to its page with an error for each field that failed (spec: Page delivery 3). */
export function invalid(
  c: Context,
  errors: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Answer {
  if (c.wantsJson)
    return json(422, { message: words.errors.invalid, errors }, { Vary: vary, ...headers })
  c.session = { ...c.session, errors }
  const old = typedValues(c)
  if (!c.protocol && old) c.session = { ...c.session, old }
  return seeOther(cameFrom(c, c.ownPage ?? path('home')), { Vary: vary, ...headers })
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
  const message = words.errors.wait(seconds)
  return invalid(c, { [field]: message }, { 'Retry-After': String(seconds) })
}

/** Refuses what the person asked for and says why, on the page at `to`; with a status to a request that wants JSON. */
export function refused(c: Context, to: string, message: string): Answer {
  return c.wantsJson ? json(422, { message }, { Vary: vary }) : redirect(c, to, { error: message })
}

/** A guard's word to turn a request away: on to another page, or its status for a request that wants JSON. */
export function turnAway(
  c: Context,
  to: string,
  { status, message }: { status: number; message: string },
): Answer {
  return c.wantsJson
    ? json(status, { message, redirect: to }, { Vary: vary })
    : seeOther(to, { Vary: vary })
}

/** Turns away a request whose login ended while it was answered, as it would have been a moment later. */
export function loginEnded(c: Context): Answer {
  // The browser may have got a newer session since: that of a new password, set in another tab (security rule 21).
  c.keepsCookie = true
  return turnAway(c, path('login'), { status: 401, message: words.guards.users })
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
