import { browserFacts } from '../browser-facts.ts'
import { hash } from 'node:crypto'
import { type Login, makeLogin } from '../../domain/logins/make-login.ts'
import type { App } from '../../app.ts'
import type { Database } from '../../db/db.ts'
import type { NewLogin } from '../../db/logins.ts'
import type { User } from '../../db/users.ts'
import { later, noon } from './database.ts'
import { users } from '#db/users'

export const ann = {
  name: 'Ann',
  email: 'Ann@example.com',
  emailKey: 'ann@example.com',
  passwordHash: 'a hash',
  at: noon,
}

export async function addUser(db: Database, user = ann): Promise<User> {
  const added = await db.transaction((tx) => users.insert(tx, user))
  if (!added) throw new Error(`${user.email} is taken`)
  return added
}

/** Creates a login of the user, and returns it as a session keeps it. */
export function logInAs(app: App, user: User): Promise<Login> {
  const browser = browserFacts()
  return app.db.transaction((tx) =>
    makeLogin(app, tx, user, { browser, remember: false, tells: false }),
  )
}

export function keyOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Returns a login that lasts two hours. */
export function loginOf(user: User, id: string): NewLogin {
  return {
    key: keyOf(id),
    userId: user.id,
    userAgent: 'Firefox',
    address: '192.0.2.1',
    remember: true,
    at: noon,
    endsAt: later(7_200_000),
  }
}
