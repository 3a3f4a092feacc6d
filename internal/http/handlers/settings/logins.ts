import { paths } from '../../../../web/contract/paths.ts'
import * as logins from '../../../domain/logins/log-out.ts'
import { Refusal } from '../../answer.ts'
import { action } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { loginEnded, redirect, refuse } from '../../reply.ts'
import type { UserContext } from '../../context.ts'

/** Logs out one other browser of the account; idempotent (spec: Settings). */
export const logOutOne = action({}, async (c: UserContext) => {
  const { id = '' } = c.params
  if (!/^[0-9a-f]{64}$/.test(id)) throw new Refusal(404)
  const { login } = c.visitor
  const { result } = await logins.logOutOne(c.app, login, Buffer.from(id, 'hex'))
  switch (result) {
    case 'ended':
      return loginEnded(c)
    case 'own':
      return refuse(c, paths['security.edit'], c.words.errors.ownLogin)
    case 'out':
    case 'was out':
      if (result === 'out') logAccount(c, 'other browser logged out', login.userId)
      return redirect(c, paths['security.edit'], { success: c.words.flash.browserLoggedOut })
  }
})

/** Logs out every other browser of the account, without a new password. */
export const logOutOthers = action({}, async (c: UserContext) => {
  const { login } = c.visitor
  const outcome = await logins.logOutOthers(c.app, login, c.browser)
  if (outcome.result === 'ended') return loginEnded(c)
  c.session = { ...c.session, login: outcome.login }
  logAccount(c, 'other browsers logged out', login.userId)
  return redirect(c, paths['security.edit'], { success: c.words.flash.othersLoggedOut })
})
