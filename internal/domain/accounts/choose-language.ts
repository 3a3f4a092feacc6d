import { users } from '#db/users'
import { asUser, type Ended } from '../logins/as-user.ts'
import type { Language } from '../../../web/contract/languages.ts'
import type { App } from '../../app.ts'
import type { Login } from '../logins/make-login.ts'

/** Saves the language of the user's pages and mails. */
export async function chooseLanguage(
  app: App,
  login: Login,
  language: Language,
): Promise<{ result: 'kept' } | Ended> {
  return asUser(app, login, async (tx, { id }) => {
    await users.setLanguage(tx, { id, language })
    return { result: 'kept' }
  })
}
