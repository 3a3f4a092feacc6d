import type { Flash } from '../../../web/contract/pages.ts'
import { lifetime, type Login } from '../../domain/logins/make-login.ts'
import type { AskedMail } from '../../domain/mails/mails.ts'

/**
 * A browser's state between requests, in its cookie or in a row. Immutable: a request that changes it
 * replaces it, which is how changes are detected.
 */
export interface Session {
  readonly login?: Login
  /** Names the login that waits for its code. */
  readonly waiting?: string
  /** The last few passkey challenges. Each is good once: answering one deletes its row. */
  readonly challenges?: readonly string[]
  /** The secret of a two-factor login being set up, in base32. */
  readonly setup?: string
  /** When the user last confirmed or logged in, in milliseconds since 1970 (spec: Password confirmation). */
  readonly confirmedAt?: number
  /** The page to go to after the login or confirmation that it needs: a path of this site. */
  readonly wanted?: string
  readonly flash?: Flash
  /** The errors of a failed form, by field, for the next page; `old`: what was typed into it. */
  readonly errors?: Readonly<Record<string, string>>
  readonly old?: Readonly<Record<string, string>>
  readonly draft?: Draft
  /** The user whose login has ended, until the next login. */
  readonly endedUser?: number
  /** The mail that a guest last requested. */
  readonly mailAsked?: MailAsked
  /** The next page clears the browser's history of kept pages. */
  readonly clearHistory?: true
}

/** What a user typed into a form sent after their login or its confirmation had ended: for them only. */
export interface Draft {
  readonly userId: number
  /** The page of the form: a path of this site. */
  readonly page: string
  readonly fields: Readonly<Record<string, string>>
  /** In milliseconds since 1970. */
  readonly at: number
}

/** A mail that a guest requested, stored alike whether or not it was sent. Times: milliseconds since 1970. */
interface MailAsked {
  readonly mail: AskedMail
  /** The fields of its form. */
  readonly fields: Readonly<Record<string, string>>
  readonly at: number
  /** When it may be requested again. */
  readonly next: number
}

export const emptySession: Session = Object.freeze({})

/** The number of tabs that may ask for a passkey at once: more challenges would crowd the cookie. */
export const mostChallenges = 4

/** Returns how long a session lasts without a visit, in milliseconds. */
export function span({ login }: Session): number {
  return lifetime(login?.remember ?? false)
}

/** Returns the session after its login became invalid, without what only its user may see. */
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

/** Whether the session holds something to show once, on one page. */
export function hasShownOnce({ flash = {}, errors, old, clearHistory }: Session): boolean {
  return Object.keys(flash).length > 0 || Boolean(errors ?? old ?? clearHistory)
}

export function withoutShownOnce({
  flash: _flash,
  errors: _errors,
  old: _old,
  clearHistory: _clear,
  ...rest
}: Session): Session {
  return rest
}
