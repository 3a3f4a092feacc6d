import type { Arrived } from '../arrived.ts'
import { loggedOut, emptySession, type Session } from './session.ts'

/** A session as the request brought it. */
export interface Opened {
  readonly session: Session
  /** Whether the browser has a cookie for it, even an expired one: an empty session deletes the cookie. */
  readonly hasCookie: boolean
  /** When its span began, as its cookie was set or its row saved, in milliseconds since 1970; 0 for none. */
  readonly sealedAt: number
  /**
   * Whether to save it anew: sealed with a key that is no longer the first, or whole in its cookie where
   * sessions now have rows.
   */
  readonly stale: boolean
  /** The ID of a session in a row. */
  readonly id?: string
  /** The ID of a session whose row is gone. */
  readonly deletedId?: string
  /** The text of the cookie, if it held the whole session. */
  readonly text?: string
  /** Removes from the row what is shown once, so that only one of concurrent requests shows it. */
  readonly take?: () => Promise<Taken>
}

export interface Taken {
  /** The session; what is shown once is in it only if this request took it first. */
  readonly shows: Session
  /** The session after taking. */
  readonly opened: Opened
}

/** The storage of sessions between requests (spec: Configuration, SESSION_STORE). */
export interface SessionStore {
  /** Opens the session that a Cookie header carries or names; an empty one if none, or if it is invalid. */
  open(header: string | undefined): Opened | Promise<Opened>
  /** Whether the browser may have got another session, from another request, since this request arrived. */
  isReplaced(opened: Opened, arrivedAt: number): boolean
  /** Saves the session as a request leaves it. */
  close(opened: Opened, session: Session, request: ClosingRequest): SetCookie | Promise<SetCookie>
}

/** A Set-Cookie; undefined: the browser keeps its cookie. */
export type SetCookie = string | undefined

/** The request whose session is closed. */
export type ClosingRequest = Pick<Arrived, 'began' | 'arrivedAt' | 'log' | 'background'>

/** The state of a browser without a session. */
export const unopened: Opened = {
  session: emptySession,
  hasCookie: false,
  sealedAt: 0,
  stale: false,
}

/**
 * The state of a browser whose cookie names a session that no longer exists. It may have been logged in, and
 * the next person must not find its pages in the history.
 */
export const endedSession: Opened = {
  ...unopened,
  session: loggedOut(emptySession),
  hasCookie: true,
}

/** Whether the browser's cookie named a session that no longer exists. */
export function hasEnded({ session }: Opened): boolean {
  return session === endedSession.session
}

export function isEmpty(session: Session): boolean {
  return Object.keys(session).length === 0
}

/** The parts dropped, in this order, from a session that is too long; the login itself never is. */
const droppedFirst = ['draft', 'old', 'mailAsked', 'wanted', 'errors', 'flash'] as const

/** Drops parts in that order until the session fits. */
export function fitting(session: Session, fits: (session: Session) => boolean): Session {
  let shortened = session
  for (const part of droppedFirst) {
    if (fits(shortened)) break
    const { [part]: _leftOut, ...rest } = shortened
    shortened = rest
  }
  return shortened
}
