import { paths } from '../../../../web/contract/paths.ts'
import * as accounts from '../../../domain/accounts/change-password.ts'
import { action } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { notConfirmed } from '../../form/failed-confirmation.ts'
import { loginEnded, redirect, refuse } from '../../reply.ts'
import { currentPassword, newPassword, required, sameAs } from '../../form/rules.ts'
import { loggedIn } from '../../session/new-session.ts'
import type { Login } from '../../../domain/logins/make-login.ts'
import type { Answer } from '../../answer.ts'
import type { Context, UserContext } from '../../context.ts'

/** Sets a first or a new password, and logs out every other browser (spec: Settings). */
export const changePassword = action(
  {
    current_password: [currentPassword],
    password: [required, newPassword],
    password_confirmation: [required, sameAs('password')],
  },
  async (c: UserContext, { current_password: current, password }) => {
    const { login } = c.visitor
    const asking = { browser: c.browser, login }
    const changed = await accounts.changePassword(c.app, { current, password }, asking)
    switch (changed.result) {
      case 'wait':
      case 'wrong':
        return notConfirmed(c, 'current_password', changed)
      case 'ended':
        return loginEnded(c)
      case 'set': {
        logAccount(c, changed.isFirst ? 'password set' : 'password changed', login.userId)
        const { passwordSet, passwordChanged } = c.words.flash
        return logInAgain(c, changed.login, changed.isFirst ? passwordSet : passwordChanged)
      }
    }
  },
)

/** Removes the password of an account that has a passkey. */
export const removePassword = action({}, async (c: UserContext) => {
  const { login } = c.visitor
  const removed = await accounts.removePassword(c.app, { browser: c.browser, login })
  switch (removed.result) {
    case 'none':
      return redirect(c, paths['security.edit'])
    case 'noPasskey':
      return refuse(c, paths['security.edit'], c.words.errors.passkeyFirst)
    case 'ended':
      return loginEnded(c)
    case 'removed': {
      logAccount(c, 'password removed', login.userId)
      // No password was typed, so the time of the last confirmation is kept.
      const { confirmedAt } = c.session
      const answer = logInAgain(c, removed.login, c.words.flash.passwordRemoved)
      c.session = { ...c.session, confirmedAt }
      return answer
    }
  }
})

function logInAgain(c: Context, login: Login, success: string): Answer {
  c.session = loggedIn(login, c.app.now(), c.session)
  return redirect(c, paths['security.edit'], { success })
}
