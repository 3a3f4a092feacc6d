import { jobs } from '#db/jobs'
import { users } from '#db/users'
import { dropChallenges } from '../../services/challenges.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { dropWaitingOfUser } from '../logins/hold-login.ts'
import { findVisit } from '../logins/check-login.ts'
import { logOutAll } from '../logins/log-out.ts'
import { dropPhoto } from '../photos/drop-photo.ts'
import { asAdministrator } from './as-administrator.ts'
import { confirmPassword, confirmWithPasskey } from './confirm-password.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Login } from '../logins/make-login.ts'
import type { PasskeyAnswer, PasskeyRefused } from '../passkeys/passkey-answer.ts'

export type Deletion =
  | { result: 'wait'; seconds: number }
  | { result: 'wrong' }
  | PasskeyRefused
  | Ended
  | { result: 'deleted'; how: 'password' | 'passkey' }

/**
 * Deletes an account and all that belongs to it, once the password was typed again; an account without one is
 * confirmed by a passkey (spec: Settings).
 */
export async function deleteAccount(
  app: App,
  login: Login,
  proof: { password: string; address: string } & PasskeyAnswer,
): Promise<Deletion> {
  const user = await findVisit(app.db, app, login)
  if (!user) return { result: 'ended' }
  const how = user.passwordHash === '' ? 'passkey' : 'password'
  const confirm = how === 'passkey' ? confirmWithPasskey : confirmPassword
  const checked = await confirm(app, login, proof)
  if (checked.result !== 'right') return checked
  return asUser(app, login, async (tx, user) => {
    return (await drop(app, tx, user)) ? { result: 'deleted', how } : { result: 'ended' }
  })
}

/** Deletes an account for an administrator, without its password. Returns it, or undefined if it was gone. */
export function deleteAsAdministrator(app: App, id: number): Promise<User | undefined> {
  return asAdministrator(app, id, async (tx, user) => {
    await logOutAll(app, tx, id)
    return drop(app, tx, user)
  })
}

async function drop(
  app: App,
  tx: Tx,
  { id, passwordHash: from }: Pick<User, 'id' | 'passwordHash'>,
): Promise<User | undefined> {
  const deleted = await users.delete(tx, { id, from })
  if (!deleted) return undefined
  await dropPhoto(app, tx, deleted.photo)
  await dropRest(app, tx, deleted)
  return deleted
}

/**
 * Deletes what else names the account. Its mails go unsent: each links to a page that only this account had,
 * and none of its data may be kept for as long as a mail server is down.
 */
async function dropRest(app: App, tx: Tx, deleted: User): Promise<void> {
  const userId = deleted.id
  await jobs.deleteOfUser(tx, userId)
  await jobs.deleteOfEmail(tx, deleted)
  await dropWaitingOfUser(app, tx, userId)
  await dropChallenges(app, tx, userId)
  tx.afterCommit(() => app.background('emptying the log of the database', app.db.emptyLog()))
}
