import { paths } from '../../../web/contract/paths.ts'
import { type How, logAccount } from '../log/log-account.ts'
import { redirect } from '../reply.ts'
import { loggedIn, waitingIn } from './new-session.ts'
import type { Flash } from '../../../web/contract/pages.ts'
import type { Entered } from '../../domain/logins/hold-login.ts'
import type { Login } from '../../domain/logins/make-login.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { Session } from './session.ts'

/**
 * Logs the browser in and redirects to the page it wanted; or to the page for the code, if its login waits
 * for one.
 */
export function beginSession(
  c: Context,
  entered: Entered,
  { how, flash }: { how: How; flash?: Flash },
): Answer {
  if ('waiting' in entered) {
    replaceSession(c, waitingIn(entered.waiting, c.session))
    return redirect(c, paths['two-factor.login'], flash)
  }
  const wanted = c.session.wanted ?? paths.dashboard
  replaceSession(c, loggedIn(entered.login, c.app.now(), c.session))
  logAccount(c, 'logged in', entered.login.userId, { how })
  return redirect(c, wanted, flash)
}

/** Logs the browser in to its new account, and redirects to the dashboard. */
export function beginAccount(c: Context, login: Login, how: How): Answer {
  logAccount(c, 'account made', login.userId, { how })
  replaceSession(c, loggedIn(login, c.app.now(), c.session))
  return redirect(c, paths.dashboard)
}

/** Sets the session of a new login, even if the form arrived late: no session that the browser has is newer. */
function replaceSession(c: Context, session: Session): void {
  c.session = session
  c.keepsCookie = false
}
