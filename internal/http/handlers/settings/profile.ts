import { paths } from '../../../../web/contract/paths.ts'
import { changeProfile } from '../../../domain/accounts/change-profile.ts'
import * as accounts from '../../../domain/accounts/delete-account.ts'
import { userSignal } from '../../../domain/passkeys/signals.ts'
import { action, type Handler } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { notConfirmed } from '../../form/failed-confirmation.ts'
import { page } from '../../page/page.ts'
import { answerIn } from '../../passkey-exchange.ts'
import { invalid, tooManyTries } from '../../form/failed-form.ts'
import { loginEnded, redirect } from '../../reply.ts'
import {
  email,
  emailOfNoOther,
  lacksPassword,
  passkeyAnswerIfAsked,
  passwordElsePasskey,
  personName,
  required,
} from '../../form/rules.ts'
import type { UserContext } from '../../context.ts'

export const showProfile: Handler<UserContext> = (c) => {
  const { user, passkeys } = c.visitor
  const passkey = passkeys > 0
  return page(c, 'Settings/Profile', { passkey, signal: passkey ? userSignal(c.app, user) : null })
}

/** Saves name and email; a new email is mailed a link, and the old one a notice (spec: Settings). */
export const saveProfile = action(
  { name: [required, personName], email: [required, email, emailOfNoOther] },
  async (c: UserContext, form) => {
    const { login } = c.visitor
    const changed = await changeProfile(c.app, login, form)
    switch (changed.result) {
      case 'wait':
        return tooManyTries(c, 'email', changed.seconds)
      case 'taken':
        return invalid(c, { email: c.words.errors.takenByOther })
      case 'ended':
        return loginEnded(c)
      case 'saved': {
        const { emailChanged, profileSaved } = c.words.flash
        if (changed.emailChanged) logAccount(c, 'email changed', login.userId)
        const success = changed.linkMailed ? emailChanged : profileSaved
        return redirect(c, paths['profile.edit'], { success })
      }
    }
  },
)

/**
 * Deletes the account after its password, or a passkey if it has none, and leaves the browser as after
 * logging out.
 */
export const deleteAccount = action(
  { password: [passwordElsePasskey], credential: [passkeyAnswerIfAsked] },
  async (c: UserContext, { password }) => {
    const { login } = c.visitor
    const proof = { password, address: c.address, ...answerIn(c) }
    const outcome = await accounts.deleteAccount(c.app, login, proof)
    switch (outcome.result) {
      case 'wait':
        return notConfirmed(c, lacksPassword(c) ? 'credential' : 'password', outcome)
      case 'wrong':
        return notConfirmed(c, 'password', outcome)
      case 'refused':
        return notConfirmed(c, 'credential', outcome)
      case 'ended':
        return loginEnded(c)
      case 'deleted':
        logAccount(c, 'account deleted', login.userId, { how: outcome.how })
        c.session = { clearHistory: true }
        return redirect(c, paths.home, { success: c.words.flash.accountDeleted })
    }
  },
)
