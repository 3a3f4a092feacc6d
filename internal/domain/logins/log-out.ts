import { logins } from '#db/logins'
import { type Login, loginKey } from './log-in.ts'
import type { Tx } from '../../db/db.ts'

/** Ends a login: its browser is a guest's from its next request on. */
export async function logOut(tx: Tx, login: Login): Promise<void> {
  await logins.delete(tx, loginKey(login.id))
}
