import { ann, registeredBrowser } from './people.ts'
import { allUsers } from './database/rows.ts'
import { sessionOf } from './session-of.ts'
import { testApp, type TestApp } from './test-app.ts'
import type { User } from '../db/users.ts'
import type { Login } from '../domain/logins/make-login.ts'

/** Returns an app with Ann, her account, and her login. */
export async function appWithAnn(): Promise<{ app: TestApp; user: User; login: Login }> {
  const app = await testApp()
  const { login } = sessionOf(app, await registeredBrowser(app, ann))
  const [user] = await allUsers(app.db)
  if (!user || !login) throw new Error('Ann was not kept.')
  return { app, user, login }
}
