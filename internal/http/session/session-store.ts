import type { Arrived } from '../arrived.ts'
import { loggedOut, emptySession, type Session } from './session.ts'

/** A session as it came in. */
export interface Opened {
  readonly session: Session
  /** Whether the browser has a cookie for it, even one that is over: a session that is left empty drops the cookie. */
  readonly hasCookie: boolean
  /** When its span began, as its cookie was made or its row was kept anew, in milliseconds since 1970; 0 of none. */
  readonly sealedAt: number
  /** Sealed with a key that is no longer the first, or still whole in its cookie where sessions have rows by now. */
  readonly stale: boolean
  /** The ID of a session that has a row. */
  readonly id?: string
  /** The ID of a session whose row is gone. */
  readonly gone?: string
  /** The text of the cookie, if it held the whole session. */
  readonly text?: string
  /** Takes out of the row what is shown once, so that of all requests at once one shows it. */
  readonly take?: () => Promise<Taken>
}

export interface Taken {
  /** The session, with what is shown once only where this request was the first to take it. */
  readonly shows: Session
  /** The session from here on. */
  readonly opened: Opened
}

/** Where sessions are kept between requests (spec: Configuration, SESSION_STORE). */
export interface SessionStore {
  /** The session a Cookie header carries or names; an empty one when there is none, or it is over or altered. */
  open(header: string | undefined): Opened | Promise<Opened>
  /** Whether the browser may have got another session since a request came with this one, by another request. */
  isReplaced(opened: Opened, came: number): boolean
  /** Keeps the session as a request leaves it. */
  close(opened: Opened, session: Session, request: Closing): SetCookie | Promise<SetCookie>
}

/** undefined: the browser keeps the cookie that it has. */
export type SetCookie = string | undefined

/** The request that a session is closed for. */
export type Closing = Pick<Arrived, 'began' | 'came' | 'log' | 'background'>

/** What there is of a browser without a session. */
export const unopened: Opened = {
  session: emptySession,
  hasCookie: false,
  sealedAt: 0,
  stale: false,
}

/**
 * What there is of a browser whose cookie names a session that is no more. It may have been logged in, and the pages
 * that it left must not be there for the next person.
 */
export const ended: Opened = { ...unopened, session: loggedOut(emptySession), hasCookie: true }

/** Whether the browser's cookie named a session that is no more. */
export function hasEnded({ session }: Opened): boolean {
  return session === ended.session
}

export function isEmpty(session: Session): boolean {
  return Object.keys(session).length === 0
}

/** What is left out, first to last, of a session that has grown too long; the login itself never is. */
const leftOutFirst = ['draft', 'old', 'mailAsked', 'wanted', 'errors', 'flash'] as const

/** The session, without as many of these parts as must go until it fits. */
export function fitting(session: Session, fits: (session: Session) => boolean): Session {
  let kept = session
  for (const part of leftOutFirst) {
    if (fits(kept)) break
    const { [part]: _leftOut, ...rest } = kept
    kept = rest
  }
  return kept
}
