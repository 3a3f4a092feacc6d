import type { Login } from '../../domain/logins/make-login.ts'
import type { Session } from './session.ts'

/**
 * Returns the session of a new login. A login starts afresh (spec: Sessions and logins 4), except for what is
 * yet to be shown. Logging in counts as typing the password.
 */
export function loggedIn(login: Login, now: Date, session: Session): Session {
  return { login, confirmedAt: now.getTime(), ...broughtTo(login, session) }
}

/** Returns what the session of another login inherits. */
export function broughtTo(login: Login, { flash, draft, clearHistory }: Session): Session {
  return {
    ...(flash && { flash }),
    ...(draft?.userId === login.userId && { draft }),
    // A login may have ended unnoticed: the next person must not find its pages in the history.
    ...(clearHistory && { clearHistory }),
  }
}

/** Returns the session of a login that waits for its code: nobody's yet, but with its destination. */
export function waitingIn(waiting: string, session: Session): Session {
  const { flash, wanted, draft, clearHistory } = session
  return {
    waiting,
    ...(flash && { flash }),
    ...(wanted && { wanted }),
    ...(draft && { draft }),
    ...(clearHistory && { clearHistory }),
  }
}
