import { sealedLength } from '../../base/crypto/keys.ts'
import { holds, lifetimes } from '../../base/lifetimes.ts'
import { isPlain } from '../form/failed-form.ts'
import {
  type CookieForm,
  cookieForm,
  cookieValue,
  dropCookie,
  mostCookieBytes,
  setCookie,
} from './cookie.ts'
import { fitting } from './session-store.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { Session } from './session.ts'

// A cookie for the outcome of a plain form whose answer leaves the session alone; the form's page shows it
// once. That is the second answer to a form sent twice, as by a double click: the browser shows only this
// one, and may have dropped the first with its cookies. If it kept the first, it may be logged in, and does
// not come to that page. Once a guest has seen the outcome, the value becomes `shown`, since a browser
// without any cookie is taken for one that refuses them.

/** The cookie's contents. `at`: when it was sealed, in milliseconds since 1970. */
type FormOutcome = Pick<Session, 'errors' | 'old'> & { readonly at: number }

/** Returns the Set-Cookie header of a redirect back to a plain form; undefined for any other answer. */
export function formCookie(c: Context, { headers }: Answer): string | undefined {
  const { errors, old } = c.session
  const { Location: location } = headers
  const isNew = errors && errors !== c.opened?.session.errors
  if (!isPlain(c) || !isNew || location === undefined) return undefined
  const cookieWith = (value: string) => setCookie(formOf(c), value, lifetimes.sentTwice)
  const at = c.app.now().getTime()
  const most = mostCookieBytes - cookieWith('').length
  const text = (some: Session) => JSON.stringify({ ...some, at } satisfies FormOutcome)
  const outcome = fitting(
    { errors, ...(old && { old }) },
    (some) => sealedLength(text(some)) <= most,
  )
  return cookieWith(c.app.keys.seal('form', pathIn(location), text(outcome)))
}

/** Makes the page of a form show the form's outcome. */
export function recallForm(c: Context): void {
  const value = c.protocol ? undefined : cookieValue(c.header('cookie'), formOf(c).name)
  const sealed = value === undefined ? undefined : c.app.keys.open('form', c.path, value)
  if (!sealed) return
  // Only this file seals for this purpose, so it wrote the text, perhaps in an older version.
  const { at, ...outcome } = JSON.parse(sealed.text) as FormOutcome
  if (holds(new Date(at), lifetimes.sentTwice, c.app.now()))
    c.session = { ...c.session, ...outcome }
}

/** Returns the cookie `shown` for a page that shows a guest a form's outcome; or deletes it for a user. */
export function formCookieAfter(c: Context): string | undefined {
  const form = formOf(c)
  const hasCookie = cookieValue(c.header('cookie'), form.name) !== undefined
  if (hasCookie && (c.opened?.session.login || c.session.login)) return dropCookie(form)
  return c.showsForm ? shownCookie(form) : undefined
}

/**
 * Returns the cookie `shown` for a browser without cookies that requests a script of an older build: its
 * client reloads the page, which must not look like a form that came back without cookies.
 */
export function formCookieOfGone(c: Context, { status }: Answer): string | undefined {
  if (status !== 404 || c.header('sec-fetch-dest') !== 'script' || c.header('cookie'))
    return undefined
  return shownCookie(formOf(c))
}

/** Lasts as long as a guest's session. The value is not sealed, so `recallForm` ignores it. */
function shownCookie(form: CookieForm): string {
  return setCookie(form, 'shown', lifetimes.login)
}

function formOf({ app }: Context): CookieForm {
  return cookieForm(app.config, 'form')
}

function pathIn(location: string): string {
  return location.split('?')[0] ?? location
}
