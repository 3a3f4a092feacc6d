import { vary } from './page/protocol.ts'
import { paths } from '../../web/contract/paths.ts'
import { localPath, refererPath } from '../base/network/local-path.ts'
import { type Answer, json, noStore, seeOther } from './answer.ts'
import { withFlash } from './session/session.ts'
import type { Flash } from '../../web/contract/pages.ts'
import type { Context } from './context.ts'

/** Redirects the browser to a path of this site, and keeps the flash for the next page. */
export function redirect(c: Context, to: string, flash?: Flash): Answer {
  if (flash) c.session = withFlash(c.session, flash)
  const location = localPath(to) ?? paths.home
  return c.wantsJson
    ? json(200, { redirect: location }, { Vary: vary })
    : seeOther(location, { Vary: vary })
}

/**
 * Makes the browser itself load what the page client cannot show: a page of another build, a file, or another
 * site (contract: Page protocol). The URL is not checked: that is up to the caller.
 */
export function redirectAway({ protocol }: Context, url: string): Answer {
  if (!protocol) return seeOther(url, { Vary: vary })
  const headers = { [protocol.location]: url, Vary: vary, 'Cache-Control': noStore }
  return { status: 409, headers, body: '' }
}

/**
 * Returns where the browser came from: the Referer if it is a page of this site, the page of a form if it is
 * the form's own address, else `otherwise`.
 */
export function cameFrom<Otherwise extends string | undefined>(
  c: Context,
  otherwise: Otherwise,
): string | Otherwise {
  const address = refererPath(c.header('referer'), c.app.config.origin)
  return (address !== undefined && c.pageAt(c, address)) || otherwise
}

/** Refuses a request and says why, on the page at `to`, or with a 422 to a request that wants JSON. */
export function refuse(c: Context, to: string, message: string): Answer {
  c.isRefused = true
  return c.wantsJson ? json(422, { message }, { Vary: vary }) : redirect(c, to, { error: message })
}

/** Turns a request away with a redirect, or with the status if it wants JSON. */
export function turnAway(
  c: Context,
  to: string,
  { status, message }: { status: number; message: string },
): Answer {
  c.isRefused = true
  return c.wantsJson
    ? json(status, { message, redirect: to }, { Vary: vary })
    : seeOther(to, { Vary: vary })
}

/** Turns away a request whose login ended while it was answered, as it would have been a moment later. */
export function loginEnded(c: Context): Answer {
  // The browser may have a newer session by now, from a new password set in another tab (security rule 21).
  c.keepsCookie = true
  return turnAway(c, paths.login, { status: 401, message: c.words.guards.users })
}
