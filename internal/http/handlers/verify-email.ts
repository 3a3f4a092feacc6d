import { path } from '../../../web/contract/paths.ts'
import { page } from '../page.ts'
import { redirect } from '../reply.ts'
import type { Handler } from '../form.ts'

/** Asks the user to follow the mailed link; one whose email is verified has nothing to do here. */
export const showVerifyNotice: Handler = (c) => {
  const user = c.visitor?.user
  if (!user || user.emailVerifiedAt) return redirect(c, path('dashboard'))
  return page(c, 'Auth/VerifyEmail', { email: user.email })
}
