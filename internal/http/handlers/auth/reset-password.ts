import { isResetLink, resetPassword } from '../../../domain/accounts/reset-password.ts'
import { action, type Handler } from '../../form/form.ts'
import { beginSession } from '../../session/begin-session.ts'
import { logAccount } from '../../log/log-account.ts'
import { page } from '../../page/page.ts'
import { invalid, sentTwice } from '../../form/failed-form.ts'
import { newPassword, required, sameAs } from '../../form/rules.ts'

/** Shows the page whether or not the link is still valid, and says which: opening it does not use it up. */
export const showResetPassword: Handler = async (c) => {
  const link = {
    token: c.params['token'] ?? '',
    email: new URLSearchParams(c.search).get('email') ?? '',
  }
  return page(c, 'Auth/ResetPassword', { ...link, valid: await isResetLink(c.app, link) })
}

export const setPassword = action(
  {
    token: [],
    email: [],
    password: [required, newPassword],
    password_confirmation: [required, sameAs('password')],
  },
  async (c, form) => {
    const reset = await resetPassword(c.app, form, c.browser)
    switch (reset.result) {
      case 'invalid':
        return invalid(c, { email: c.words.errors.linkInvalid })
      case 'used':
        return sentTwice(c, { email: c.words.errors.linkInvalid })
      case 'set': {
        const { passwordSet, passwordSetKeysRemoved } = c.words.flash
        const success = reset.keys === 'removed' ? passwordSetKeysRemoved : passwordSet
        logAccount(c, 'password reset', reset.userId)
        return beginSession(c, reset.entered, { how: 'link', flash: { success } })
      }
    }
  },
)
