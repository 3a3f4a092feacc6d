import { lifetime } from '../domain/logins/log-in.ts'
import { cookieForm, cookieValue } from './cookie.ts'
import { emptySession, type Session } from './session.ts'
import type { App } from '../app.ts'

/** A session as it came in, and when its cookie was made, in milliseconds since 1970. */
interface Opened {
  readonly session: Session
  readonly sealedAt: number
  /** Sealed with a key that is no longer the first. */
  readonly stale: boolean
}

const nothing: Opened = { session: emptySession, sealedAt: 0, stale: false }
const sealEvery = 60 * 1000
// RFC 6265 asks browsers to keep 4,096 bytes of name, value and attributes.
const mostBytes = 4096
const openedAtMost = 2_000

export interface SessionCookie {
  /** The session a Cookie header carries; an empty one when there is none, or it is over or altered. */
  open(header: string | undefined): Opened
  /** The Set-Cookie for a request's end, or undefined: what the browser has will do. */
  close(opened: Opened, session: Session): string | undefined
}

/** Sessions that travel sealed in the cookie `app_session`, restarted by each visit (spec: Sessions and logins). */
export function sessionCookie(app: App): SessionCookie {
  const { name, attributes } = cookieForm(app.config, 'session')
  // Only the cookie's text is trusted to be what it was; the login's row is read again for each request.
  const opened = new Map<string, Opened>()

  return {
    open(header) {
      const value = cookieValue(header, name)
      if (value === undefined) return nothing
      const found = opened.get(value) ?? unseal(app, value)
      if (!found) return nothing
      if (opened.size >= openedAtMost) opened.clear()
      opened.set(value, found)
      const age = app.now().getTime() - found.sealedAt
      return age > lifetime(found.session.login?.remember ?? false)
        ? { ...nothing, sealedAt: 1 }
        : found
    },
    close(opened, session) {
      const now = app.now().getTime()
      if (Object.keys(session).length === 0) {
        return opened.sealedAt === 0 ? undefined : `${name}=; Max-Age=0${attributes}`
      }
      const fresh = !opened.stale && now - opened.sealedAt < sealEvery
      if (session === opened.session && fresh) return undefined
      const seconds = lifetime(session.login?.remember ?? false) / 1000
      return fitting(session, (kept) => {
        const value = app.keys.seal('session', '', JSON.stringify({ at: now, session: kept }))
        return `${name}=${value}; Max-Age=${seconds}${attributes}`
      })
    },
  }
}

/** What is left out, first to last, of a session that has grown over 4 KB; the login itself never is. */
const leftOutFirst = ['old', 'wanted', 'errors', 'flash'] as const

function fitting(session: Session, cookie: (session: Session) => string): string {
  let kept = session
  let made = cookie(kept)
  for (const part of leftOutFirst) {
    if (Buffer.byteLength(made) <= mostBytes) break
    kept = { ...kept, [part]: undefined }
    made = cookie(kept)
  }
  return made
}

function unseal(app: App, value: string): Opened | undefined {
  const sealed = app.keys.open('session', '', value)
  if (!sealed) return undefined
  // Only this file seals for this purpose, so the text is what `close` wrote, perhaps in an older version.
  const { at, session } = JSON.parse(sealed.text) as { at: number; session: Session }
  return { session, sealedAt: at, stale: sealed.stale }
}
