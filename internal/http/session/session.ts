import type { Flash } from '../../../web/contract/pages.ts'
import { lifetime, type Login } from '../../domain/logins/make-login.ts'
import type { AskedMail } from '../../domain/mails/mails.ts'

/**
 * What is kept of a browser between requests, in its cookie or in a row. Never changed in place: a request that
 * changes it puts another in its stead, and that is how it is known what to keep.
 */
export interface Session {
  readonly login?: Login
  /** Names the login that waits for its code. */
  readonly waiting?: string
  /** The last few challenges that were sent for passkeys to answer. Each is good once: the answer deletes its row. */
  readonly challenges?: readonly string[]
  /** The secret of a two-factor login that is being set up, in base32. */
  readonly setup?: string
  /** When the user last confirmed or logged in, in milliseconds since 1970 (spec: Password confirmation). */
  readonly confirmedAt?: number
  /** The page that was asked for before the login or the confirmation that it needs: a path of this site. */
  readonly wanted?: string
  readonly flash?: Flash
  /** The errors of the form that failed, by field, for the page that comes next; `old`: what was typed into it. */
  readonly errors?: Readonly<Record<string, string>>
  readonly old?: Readonly<Record<string, string>>
  readonly draft?: Draft
  /** Whose login has ended, until the next one. */
  readonly endedUser?: number
  /** The mail that a guest asked for last. */
  readonly mailAsked?: MailAsked
  /** The next page tells the browser to forget the pages it has kept. */
  readonly clearHistory?: true
}

/** What somebody typed into a form that came once their login, or its confirmation, was over: for them alone. */
export interface Draft {
  readonly userId: number
  /** The page of the form: a path of this site. */
  readonly page: string
  readonly fields: Readonly<Record<string, string>>
  /** In milliseconds since 1970. */
  readonly at: number
}

/** A mail that a guest asked for, kept the same whether or not it was sent. Times are in milliseconds since 1970. */
interface MailAsked {
  readonly mail: AskedMail
  /** What its form sent. */
  readonly fields: Readonly<Record<string, string>>
  readonly at: number
  /** When it may be asked for again. */
  readonly next: number
}

export const emptySession: Session = Object.freeze({})

/** In how many tabs at once a passkey may be asked for: more challenges would crowd the cookie. */
export const mostChallenges = 4

/** How long a session lasts without a visit, in milliseconds. */
export function span({ login }: Session): number {
  return lifetime(login?.remember ?? false)
}

/** The session of a browser whose login no longer stands: nothing is left in it that only its user may see. */
export function loggedOut({ flash, errors, old, draft }: Session): Session {
  const { success, error } = flash ?? {}
  return {
    ...(flash && { flash: { ...(success && { success }), ...(error && { error }) } }),
    ...(errors && { errors }),
    ...(old && { old }),
    ...(draft && { draft }),
    clearHistory: true,
  }
}

export function withoutSetUp({ setup: _setup, ...rest }: Session): Session {
  return rest
}

export function withoutDraft({ draft: _draft, ...rest }: Session): Session {
  return rest
}

export function withFlash(session: Session, flash: Flash): Session {
  return { ...session, flash: { ...session.flash, ...flash } }
}

/** Whether there is something that one page shows once. */
export function hasShownOnce({ flash = {}, errors, old, clearHistory }: Session): boolean {
  return Object.keys(flash).length > 0 || Boolean(errors ?? old ?? clearHistory)
}

/** Without what one page shows once. */
export function withoutShownOnce({
  flash: _flash,
  errors: _errors,
  old: _old,
  clearHistory: _clear,
  ...rest
}: Session): Session {
  return rest
}
