import { path } from '../../../web/contract/paths.ts'
import { words } from '../../../web/contract/words.ts'
import { changeProfile } from '../../domain/accounts/change-profile.ts'
import * as accounts from '../../domain/accounts/delete-account.ts'
import { action, type Handler } from '../form.ts'
import { page } from '../page.ts'
import { invalid, loginEnded, redirect, tooManyTries } from '../reply.ts'
import { email, emailOfNoOther, hasPassword, personName, required } from '../rules.ts'

export const showProfile: Handler = (c) => page(c, 'Settings/Profile', {})

/** Keeps name and email; another email is mailed a link, and the old one a notice (spec: Settings). */
export const saveProfile = action(
  { name: [required, personName], email: [required, email, emailOfNoOther] },
  async (c, form) => {
    const user = c.visitor?.user
    if (!user) return loginEnded(c)
    const changed = await changeProfile(c.app, user, form)
    switch (changed.result) {
      case 'wait':
        return tooManyTries(c, 'email', changed.seconds)
      case 'taken':
        return invalid(c, { email: words.errors.takenByOther })
      case 'ended':
        return loginEnded(c)
      case 'saved': {
        const { emailChanged, profileSaved } = words.flash
        const success = changed.emailChanged ? emailChanged : profileSaved
        return redirect(c, path('profile.edit'), { success })
      }
    }
  },
)

/** Deletes the account for whoever types its password once more, and leaves the browser as logging out does. */
export const deleteAccount = action(
  { password: [hasPassword, required] },
  async (c, { password }) => {
    const user = c.visitor?.user
    if (!user) return loginEnded(c)
    const tried = await accounts.deleteAccount(c.app, user, { password, address: c.address })
    switch (tried.result) {
      case 'wait':
        return tooManyTries(c, 'password', tried.seconds)
      case 'wrong':
        return invalid(c, { password: words.errors.wrongPassword })
      case 'ended':
        return loginEnded(c)
      case 'deleted':
        c.session = { clearHistory: true }
        return redirect(c, path('home'), { success: words.flash.accountDeleted })
    }
  },
)
