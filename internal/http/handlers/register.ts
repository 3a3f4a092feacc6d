import { paths } from '../../../web/contract/paths.ts'
import { errorWords } from '#words/errors'
import * as accounts from '../../domain/accounts/register.ts'
import { action, type Handler } from '../form.ts'
import { logAccount } from '../log-account.ts'
import { page } from '../page/page.ts'
import { sentTwice } from '../failed-form.ts'
import { redirect } from '../reply.ts'
import { email, freeEmail, newPassword, personName, required, sameAs } from '../rules.ts'
import { loggedIn } from '../session/session.ts'

export const showRegister: Handler = (c) => page(c, 'Auth/Register', {})

export const register = action(
  {
    name: [required, personName],
    email: [required, email, freeEmail],
    password: [required, newPassword],
    password_confirmation: [required, sameAs('password')],
  },
  async (c, form) => {
    const made = await accounts.register(c.app, form, c.browser)
    switch (made.result) {
      case 'taken':
        return sentTwice(c, { email: errorWords.taken })
      case 'made':
        logAccount(c, 'account made', made.login.userId, { how: 'password' })
        c.session = loggedIn(made.login, c.app.now(), c.session)
        return redirect(c, paths.dashboard)
    }
  },
)
