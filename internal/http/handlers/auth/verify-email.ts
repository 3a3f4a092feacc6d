import { paths } from '../../../../web/contract/paths.ts'
import { askVerification, nextVerification, verifyEmail } from '../../../domain/accounts/verify.ts'
import { action, type Handler } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { mailSent } from '../../form/mail-sent.ts'
import { isLook } from '../../head-or-prefetch.ts'
import { page } from '../../page/page.ts'
import { readRowId } from '../../row-id.ts'
import { tooManyTries } from '../../form/failed-form.ts'
import { cameFrom, loginEnded, redirect } from '../../reply.ts'
import type { Context, UserContext } from '../../context.ts'

/** Asks the user to follow the mailed link; a verified user goes to the dashboard. */
export const showVerifyNotice: Handler<UserContext> = async (c) => {
  const { id, email, emailVerifiedAt } = c.visitor.user
  if (emailVerifiedAt) return redirect(c, paths.dashboard)
  const next = await nextVerification(c.app, id)
  return page(c, 'Auth/VerifyEmail', {
    email,
    sent: mailSent(c, 'verify', { email, next, fields: {} }),
  })
}

/** Mails another link; used by the profile, too (spec: Verify email). */
export const sendVerification = action({}, async (c: UserContext) => {
  const { user, login } = c.visitor
  if (user.emailVerifiedAt) return redirect(c, paths.dashboard)
  const outcome = await askVerification(c.app, login)
  switch (outcome.result) {
    case 'wait':
      return tooManyTries(c, 'email', outcome.seconds)
    case 'ended':
      return loginEnded(c)
    case 'asked': {
      const page = cameFrom(c, paths['verification.notice'])
      return redirect(c, page, { success: c.words.flash.linkSent })
    }
  }
})

/** Verifies the email by its mailed link, in any browser (spec: Verify email). */
export const followVerification: Handler = async (c) => {
  const { token = '' } = c.params
  // A link scanner must not verify anything.
  if (isLook(c)) return redirect(c, paths['verification.notice'])
  const id = readRowId(c.params['id'] ?? '')
  const verified = id === undefined ? 'over' : await verifyEmail(c.app, { id, token })
  if (id === undefined || verified === 'over')
    return redirect(c, paths['verification.notice'], { error: whyOver(c) })
  if (verified === 'verified') logAccount(c, 'email verified', id)
  // Whoever follows another account's link must not take their own email for verified.
  const isOthers = c.visitor !== undefined && c.visitor.user.id !== id
  const success = isOthers ? c.words.flash.otherVerified : c.words.flash.verified
  return redirect(c, paths.dashboard, { success })
}

/** Says why the link is over: a guest must log in to get another, and a verified email needs none. */
function whyOver(c: Context): string {
  const { visitor } = c
  if (!visitor) return c.words.flash.linkExpiredLogIn
  return visitor.user.emailVerifiedAt
    ? c.words.flash.linkExpiredVerified
    : c.words.flash.linkExpired
}
