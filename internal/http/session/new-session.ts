import type { Login } from '../../domain/logins/make-login.ts'
import type { Session } from './session.ts'

/**
 * The session of a new login. A login starts afresh (spec: Sessions and logins 4): only what is yet to be shown
 * comes along. Logging in counts as typing the password.
 */
export function loggedIn(login: Login, now: Date, session: Session): Session {
  return { login, confirmedAt: now.getTime(), ...broughtTo(login, session) }
}

/** What of a session comes along into that of another login. */
export function broughtTo(login: Login, { flash, draft, clearHistory }: Session): Session {
  return {
    ...(flash && { flash }),
    ...(draft?.userId === login.userId && { draft }),
    // A login may have ended unseen: the pages it left must not be there for the next person.
    ...(clearHistory && { clearHistory }),
  }
}

/** The session of a login that waits for its code: nobody's yet, but it knows where it was going. */
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
