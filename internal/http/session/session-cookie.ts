import { sealedLength } from '../../base/crypto/keys.ts'
import { holds, noteEvery } from '../../base/lifetimes.ts'
import { cookieForm, cookieValue, dropCookie, mostCookieBytes, setCookie } from './cookie.ts'
import { nameOf, ReplacedCookies } from './replaced-cookies.ts'
import { rebased } from './session-merge.ts'
import { namesRow } from './session-name.ts'
import {
  ended,
  fitting,
  isEmpty,
  type Opened,
  type SessionStore,
  unopened,
} from './session-store.ts'
import type { App } from '../../app.ts'
import { type Session, span } from './session.ts'

const openedAtMost = 2_000

interface CookieStore extends SessionStore {
  /** Synchronous: the cookie holds the whole session. */
  open(header: string | undefined): Opened
}

/** Stores sessions sealed in their cookie; each visit restarts their span (spec: Sessions and logins). */
export function sessionCookie(app: App): CookieStore {
  const form = cookieForm(app.config, 'session')
  // Keyed by the cookie's text, which determines the session. The login's row is read for each request.
  const opened = new Map<string, Opened>()
  const replaced = new ReplacedCookies(app)

  function openAnew(value: string): Opened | undefined {
    const found = unseal(app, value)
    if (!found) return undefined
    if (opened.size >= openedAtMost) opened.clear()
    const kept = { ...found, text: value }
    opened.set(value, kept)
    return kept
  }

  return {
    open(header) {
      const value = cookieValue(header, form.name)
      if (value === undefined) return unopened
      const found = opened.get(value) ?? openAnew(value)
      // The name of a row is useless in this store: the session it names has ended.
      if (!found) return namesRow(app, value) ? ended : unopened
      return isOver(app, found) ? { ...unopened, hasCookie: true } : found
    },
    isReplaced: (opened, came) => replaced.since(nameOf(opened), came) !== undefined,
    close(opened, session, request) {
      const since =
        opened.text === undefined ? undefined : replaced.since(opened.text, request.came)
      const left = since ? rebased(opened.session, session, since) : session
      if (left === undefined || isAsItWas(opened, left)) return undefined
      const keep = () => keepInCookie(opened, left)
      return replaced.keepUnlessGaveWay(opened, left, { request, keep })
    },
  }

  /** Whether the browser may keep the cookie that it has. */
  function isAsItWas({ session, hasCookie, sealedAt, stale }: Opened, left: Session): boolean {
    if (isEmpty(left)) return !hasCookie
    const isFresh = !stale && app.now().getTime() - sealedAt < noteEvery.session
    return left === session && isFresh
  }

  function keepInCookie(opened: Opened, left: Session): string {
    const old = nameOf(opened)
    if (isEmpty(left)) {
      if (old) replaced.note(old, { session: left, name: '' })
      return dropCookie(form)
    }
    const at = app.now().getTime()
    const around = (value: string) => setCookie(form, value, span(left))
    const sealed = (kept: Session) => JSON.stringify({ at, session: kept })
    const most = mostCookieBytes - around('').length
    const kept = fitting(left, (some) => sealedLength(sealed(some)) <= most)
    const text = app.keys.seal('session', '', sealed(kept))
    if (old) replaced.note(old, { session: kept, name: text })
    return around(text)
  }
}

/** Returns the session in a cookie of this store; undefined if there is none, or it has ended. */
export function readCookie(app: App, value: string): Opened | undefined {
  const found = unseal(app, value)
  return found && !isOver(app, found) ? found : undefined
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
