import { users } from '#db/users'
import { paths } from '../../../../web/contract/paths.ts'
import { emailKey } from '../../../base/email.ts'
import { askReset } from '../../../domain/accounts/reset-password.ts'
import { action, type Handler } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { mailForm, rememberMail } from '../../form/mail-sent.ts'
import { page } from '../../page/page.ts'
import { redirect } from '../../reply.ts'
import { email, required } from '../../form/rules.ts'
import type { Context } from '../../context.ts'

export const showForgotPassword: Handler = (c) =>
  page(c, 'Auth/ForgotPassword', mailForm(c, 'reset'))

async function logAsked(c: Context, email: string): Promise<void> {
  const user = await users.byEmailKey(c.app.db, emailKey(email))
  logAccount(c, 'reset asked', user?.id)
}

/** Gives the same answer, and does the same work, for any email (spec: Forgotten password). */
export const sendResetLink = action({ email: [required, email] }, async (c, form) => {
  const next = await askReset(c.app, form.email, c.address)
  rememberMail(c, 'reset', { fields: form, next })
  // In the background, so that the answer takes as long for an email without an account.
  c.background('logging a reset', logAsked(c, form.email))
  return redirect(c, paths['password.request'], { success: c.words.flash.resetSent })
})
