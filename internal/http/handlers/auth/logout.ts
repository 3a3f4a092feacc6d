import { paths } from '../../../../web/contract/paths.ts'
import * as logins from '../../../domain/logins/log-out.ts'
import { action } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { loginEnded, redirect } from '../../reply.ts'
import type { UserContext } from '../../context.ts'

/** Empties the whole session, flash included, and clears the browser's history (spec: Login and logout). */
export const logOut = action({}, async (c: UserContext) => {
  const { login } = c.visitor
  const { result } = await logins.logOut(c.app, login)
  // A new password has just replaced this login with another: the browser stays logged in.
  if (result === 'ended') return loginEnded(c)
  logAccount(c, 'logged out', login.userId)
  c.session = { clearHistory: true }
  return redirect(c, paths.home, { success: c.words.flash.loggedOut })
})
