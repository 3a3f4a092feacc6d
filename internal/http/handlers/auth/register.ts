import * as accounts from '../../../domain/accounts/register.ts'
import { action, type Handler } from '../../form/form.ts'
import { mailForm } from '../../form/mail-sent.ts'
import { agreementLinks } from '../../page/agreement-links.ts'
import { page } from '../../page/page.ts'
import { invalid, noteSentTwice } from '../../form/failed-form.ts'
import { email, freeEmail, newPassword, personName, required, sameAs } from '../../form/rules.ts'
import { beginAccount } from '../../session/begin-session.ts'

export const showRegister: Handler = (c) =>
  page(c, 'Auth/Register', { ...agreementLinks(c), ...mailForm(c, 'register') })

export const register = action(
  {
    name: [required, personName],
    email: [required, email, freeEmail],
    password: [required, newPassword],
    password_confirmation: [required, sameAs('password')],
  },
  async (c, form) => {
    const outcome = await accounts.register(c.app, form, c.browser)
    switch (outcome.result) {
      case 'taken':
        if (await accounts.isJustMade(c.app, form)) noteSentTwice(c)
        return invalid(c, { email: c.words.errors.taken })
      case 'made':
        return beginAccount(c, outcome.login, 'password')
    }
  },
)
