import { paths } from '../../../../web/contract/paths.ts'
import * as accounts from '../../../domain/accounts/confirm-password.ts'
import { confirmOptions } from '../../../domain/passkeys/confirm.ts'
import { action, type Handler } from '../../form/form.ts'
import { type How, logAccount } from '../../log/log-account.ts'
import { notConfirmed } from '../../form/failed-confirmation.ts'
import { page } from '../../page/page.ts'
import { sendOptions, optionsHandler, answerIn } from '../../passkey-exchange.ts'
import { loginEnded, redirect, refuse } from '../../reply.ts'
import { passkeyAnswerIfAsked, passwordOrPasskey } from '../../form/rules.ts'
import type { Answer } from '../../answer.ts'
import type { UserContext } from '../../context.ts'

export const showConfirmPassword: Handler<UserContext> = (c) =>
  page(c, 'Auth/ConfirmPassword', { passkey: c.visitor.passkeys > 0 })

/** Checks the password or a passkey, and redirects to the page that needed it (spec: Confirm password). */
export const confirmPassword = action(
  { password: [passwordOrPasskey], credential: [passkeyAnswerIfAsked] },
  async (c: UserContext, { password }) => {
    const { login } = c.visitor
    if (password === '') return confirmWithPasskey(c)
    const { address } = c
    const outcome = await accounts.confirmPassword(c.app, login, { password, address })
    switch (outcome.result) {
      case 'ended':
        return loginEnded(c)
      case 'wait':
      case 'wrong':
        return notConfirmed(c, 'password', outcome)
      case 'right':
        return acceptConfirmation(c, 'password')
    }
  },
)

async function confirmWithPasskey(c: UserContext): Promise<Answer> {
  const outcome = await accounts.confirmWithPasskey(c.app, c.visitor.login, answerIn(c))
  switch (outcome.result) {
    case 'ended':
      return loginEnded(c)
    case 'wait':
    case 'refused':
      return notConfirmed(c, 'credential', outcome)
    case 'right':
      return acceptConfirmation(c, 'passkey')
  }
}

function acceptConfirmation(c: UserContext, how: How): Answer {
  logAccount(c, 'confirmed', c.visitor.login.userId, { how })
  const { wanted = paths.dashboard, ...session } = c.session
  c.session = { ...session, confirmedAt: c.app.now().getTime() }
  return redirect(c, wanted)
}

/** Returns options for one of the user's passkeys: to confirm, or to delete the account. */
export const confirmPasskeyOptions = optionsHandler(async (c: UserContext) => {
  const { user } = c.visitor
  const outcome = await confirmOptions(c.app, user)
  switch (outcome.result) {
    case 'absent':
      return refuse(c, paths['password.confirm'], c.words.errors.passkeysAbsent)
    case 'none':
      return refuse(c, paths['password.confirm'], c.words.errors.passkeysNone)
    case 'options':
      return sendOptions(c, outcome.options)
  }
})
