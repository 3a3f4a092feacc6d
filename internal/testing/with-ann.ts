import { ann, registered } from './people.ts'
import { allUsers } from './rows.ts'
import { testApp, type TestApp } from './test-app.ts'
import type { User } from '../db/users.ts'

/** An app with Ann in it, and her account. */
export async function withAnn(): Promise<{ app: TestApp; user: User }> {
  const app = await testApp()
  await registered(app, ann)
  const [user] = await allUsers(app.db)
  if (!user) throw new Error('Ann was not kept.')
  return { app, user }
}
