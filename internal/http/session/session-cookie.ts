import { sealedLength } from '../../base/crypto/keys.ts'
import { holds, noteEvery } from '../../base/lifetimes.ts'
import { cookieForm, cookieValue, dropCookie, mostCookieBytes, setCookie } from './cookie.ts'
import { nameOf, ReplacedCookies } from './replaced-cookies.ts'
import { rebased } from './session-merge.ts'
import { namesRow } from './session-name.ts'
import {
  endedSession,
  fitting,
  isEmpty,
  type Opened,
  type SessionStore,
  unopened,
} from './session-store.ts'
import type { App } from '../../app.ts'
import { type Session, span } from './session.ts'

const mostCached = 2_000

interface CookieStore extends SessionStore {
  /** Synchronous: the cookie holds the whole session. */
  open(header: string | undefined): Opened
}

/** Stores sessions sealed in their cookie; each visit restarts their span (spec: Sessions and logins). */
export function sessionCookie(app: App): CookieStore {
  const form = cookieForm(app.config, 'session')
  // Keyed by the cookie's text, which determines the session. The login's row is read for each request.
  const cache = new Map<string, Opened>()
  const replaced = new ReplacedCookies(app)

  function openAnew(value: string): Opened | undefined {
    const unsealed = unseal(app, value)
    if (!unsealed) return undefined
    if (cache.size >= mostCached) cache.clear()
    const opened = { ...unsealed, text: value }
    cache.set(value, opened)
    return opened
  }

  return {
    open(header) {
      const value = cookieValue(header, form.name)
      if (value === undefined) return unopened
      const opened = cache.get(value) ?? openAnew(value)
      // The name of a row is useless in this store: the session it names has ended.
      if (!opened) return namesRow(app, value) ? endedSession : unopened
      return isOver(app, opened) ? { ...unopened, hasCookie: true } : opened
    },
    isReplaced: (opened, arrivedAt) =>
      replaced.successorSince(nameOf(opened), arrivedAt) !== undefined,
    close(opened, after, request) {
      const current =
        opened.text === undefined
          ? undefined
          : replaced.successorSince(opened.text, request.arrivedAt)
      const session = current ? rebased(opened.session, after, current) : after
      if (session === undefined || isUnchanged(opened, session)) return undefined
      const save = () => saveInCookie(opened, session)
      return replaced.saveUnlessReplaced(opened, session, { request, save })
    },
  }

  /** Whether the browser may keep the cookie that it has. */
  function isUnchanged(opened: Opened, session: Session): boolean {
    const { hasCookie, sealedAt, stale } = opened
    if (isEmpty(session)) return !hasCookie
    const isFresh = !stale && app.now().getTime() - sealedAt < noteEvery.session
    return session === opened.session && isFresh
  }

  function saveInCookie(opened: Opened, session: Session): string {
    const old = nameOf(opened)
    if (isEmpty(session)) {
      if (old) replaced.record(old, { session, name: '' })
      return dropCookie(form)
    }
    const at = app.now().getTime()
    const cookieWith = (value: string) => setCookie(form, value, span(session))
    const textOf = (session: Session) => JSON.stringify({ at, session })
    const most = mostCookieBytes - cookieWith('').length
    const shortened = fitting(session, (some) => sealedLength(textOf(some)) <= most)
    const text = app.keys.seal('session', '', textOf(shortened))
    if (old) replaced.record(old, { session: shortened, name: text })
    return cookieWith(text)
  }
}

/** Returns the session in a cookie of this store; undefined if there is none, or it has ended. */
export function readCookie(app: App, value: string): Opened | undefined {
  const opened = unseal(app, value)
  return opened && !isOver(app, opened) ? opened : undefined
}

function isOver(app: App, { session, sealedAt }: Opened): boolean {
  return !holds(sealedAt, span(session), app.now())
}

function unseal(app: App, value: string): Opened | undefined {
  const sealed = app.keys.open('session', '', value)
  if (!sealed) return undefined
  // Only this file seals for this purpose, so `close` wrote the text, perhaps in an older version.
  const { at, session } = JSON.parse(sealed.text) as { at: number; session: Session }
  return { session, hasCookie: true, sealedAt: at, stale: sealed.stale }
}
