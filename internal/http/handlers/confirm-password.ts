import { path } from '../../../web/contract/paths.ts'
import { words } from '../../../web/contract/words.ts'
import * as accounts from '../../domain/accounts/confirm-password.ts'
import { action, type Handler } from '../form.ts'
import { page } from '../page.ts'
import { invalid, redirect, tooManyTries } from '../reply.ts'
import { required } from '../rules.ts'

export const showConfirmPassword: Handler = (c) =>
  page(c, 'Auth/ConfirmPassword', { passkey: false })

/** Takes the password once more, and goes on to the page that asked for it (spec: Confirm password). */
export const confirmPassword = action({ password: [required] }, async (c, { password }) => {
  const user = c.visitor?.user
  if (!user) return redirect(c, path('login'))
  const { address } = c
  const tried = await accounts.confirmPassword(c.app, user, { password, address })
  switch (tried.result) {
    case 'wait':
      return tooManyTries(c, 'password', tried.seconds)
    case 'wrong':
      return invalid(c, { password: words.errors.wrongPassword })
    case 'right': {
      const { wanted = path('dashboard'), ...session } = c.session
      c.session = { ...session, confirmedAt: c.app.now().getTime() }
      return redirect(c, wanted)
    }
  }
})
