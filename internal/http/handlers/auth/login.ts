import { users } from '#db/users'
import { emailKey } from '../../../base/email.ts'
import { logInWithPassword } from '../../../domain/accounts/password-login.ts'
import { whoWaits } from '../../../domain/two-factor/code-login.ts'
import { action, type Handler } from '../../form/form.ts'
import { beginSession } from '../../session/begin-session.ts'
import { logLoginFailed } from '../../log/log-failure.ts'
import { page } from '../../page/page.ts'
import { invalid, tooManyTries } from '../../form/failed-form.ts'
import { required } from '../../form/rules.ts'
import { withFlash } from '../../session/session.ts'
import type { Context } from '../../context.ts'

export const showLogin: Handler = async (c) => {
  const { waiting, ...session } = c.session
  // Whoever took too long for the code, or has since set a new password, is told why they must log in again.
  if (waiting !== undefined && !(await whoWaits(c.app, waiting)))
    // An error from before says more, such as that a link has expired.
    c.session = withFlash(session, { error: session.flash?.error ?? c.words.flash.waitOver })
  return page(c, 'Auth/Login', {})
}

export const logIn = action(
  { email: [required], password: [required], remember: [] },
  async (c, { email, password, remember }) => {
    const credentials = { email, password, remember: remember === 'on' }
    const outcome = await logInWithPassword(c.app, credentials, c.browser)
    switch (outcome.result) {
      case 'wait':
        logLoginFailed(c, 'too many tries', { user: await accountOf(c, email) })
        return tooManyTries(c, 'email', outcome.seconds)
      case 'wrong':
        logLoginFailed(c, 'wrong email or password', { user: await accountOf(c, email) })
        return invalid(c, { email: c.words.errors.wrongLogin })
      case 'right':
        return beginSession(c, outcome.entered, { how: 'password' })
    }
  },
)

/** For the log only: the answer is the same for any email. */
async function accountOf({ app }: Context, email: string): Promise<number | undefined> {
  return (await users.byEmailKey(app.db, emailKey(email)))?.id
}
