import { codesLeft } from '../../domain/two-factor/codes.ts'
import { page } from '../page/page.ts'
import type { UserContext } from '../context.ts'
import type { Handler } from '../form/form.ts'

export const showDashboard: Handler<UserContext> = (c) => {
  const { user, passkeys } = c.visitor
  return page(c, 'Dashboard', {
    passkeys,
    codesLeft: user.twoFactorSecret === null ? null : codesLeft(c.app, user),
    codesSaved: user.recoveryCodesSavedAt !== null,
  })
}
