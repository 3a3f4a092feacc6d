import { emailKey } from '../../base/email.ts'
import { users } from '#db/users'
import type { Db } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/** Finds the account with this ID or email, in any case; returns undefined if there is none. */
export async function findAccount(db: Db, idOrEmail: string): Promise<User | undefined> {
  const text = idOrEmail.trim()
  if (/^[0-9]{1,15}$/.test(text)) return users.byId(db, Number(text))
  return users.byEmailKey(db, emailKey(text))
}
