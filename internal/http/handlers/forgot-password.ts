import { path } from '../../../web/contract/paths.ts'
import { words } from '../../../web/contract/words.ts'
import { askReset } from '../../domain/accounts/reset-password.ts'
import { action, type Handler } from '../form.ts'
import { page } from '../page.ts'
import { redirect } from '../reply.ts'
import { email, required } from '../rules.ts'

export const showForgotPassword: Handler = (c) => page(c, 'Auth/ForgotPassword', {})

/** The same answer and the same work for any email (spec: Forgotten password). */
export const sendResetLink = action({ email: [required, email] }, async (c, form) => {
  await askReset(c.app, form.email, c.address)
  return redirect(c, path('password.request'), { success: words.flash.resetSent })
})
