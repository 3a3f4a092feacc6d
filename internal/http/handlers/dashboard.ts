import { passkeys } from '#db/passkeys'
import { codesLeft } from '../../domain/two-factor/codes.ts'
import { page } from '../page/page.ts'
import type { UserContext } from '../context.ts'
import type { Handler } from '../form.ts'

export const showDashboard: Handler<UserContext> = async (c) => {
  const { user } = c.visitor
  const keys = await passkeys.ofUser(c.app.db, user.id)
  return page(c, 'Dashboard', {
    passkeys: keys.length,
    codesLeft: user.twoFactorSecret === null ? null : codesLeft(c.app, user),
    codesSaved: user.recoveryCodesSavedAt !== null,
  })
}
