import { throttleAddress } from '../../base/network/address.ts'
import { emailKey, emailWritten } from '../../base/email.ts'
import { holds, lifetimes } from '../../base/lifetimes.ts'
import { users } from '#db/users'
import { type Browser, type Login, makeLogin } from '../logins/make-login.ts'
import { pushVerification } from './verify.ts'
import type { App } from '../../app.ts'

export type Registration = { result: 'taken' } | { result: 'made'; login: Login }

/** Makes an account with a password and logs its browser in (spec: Register). */
export async function register(
  app: App,
  { name, email, password }: { name: string; email: string; password: string },
  browser: Browser,
): Promise<Registration> {
  const passwordHash = await app.passwords.hashPassword(password, throttleAddress(browser.address))
  return app.db.transaction(async (tx) => {
    const at = app.now()
    const user = await users.insert(tx, {
      name,
      email: emailWritten(email),
      emailKey: emailKey(email),
      passwordHash,
      at,
    })
    if (!user) return { result: 'taken' }
    await pushVerification(app, tx, user)
    return {
      result: 'made',
      login: await makeLogin(app, tx, user, { browser, remember: false, tells: false }),
    }
  })
}

/** Returns whether an account has this email, in any case. */
export function isTaken(app: App, email: string): Promise<boolean> {
  return users.isTaken(app.db, emailKey(email))
}

/**
 * Returns whether this form, sent twice, has just made the account: name and spelling of the email are equal.
 */
export async function isJustMade(
  app: App,
  { email, name }: { email: string; name: string },
): Promise<boolean> {
  const user = await users.byEmailKey(app.db, emailKey(email))
  const isSame = user?.name === name && user.email === emailWritten(email)
  return isSame && holds(user.createdAt, lifetimes.sentTwice, app.now())
}
