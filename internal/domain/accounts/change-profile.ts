import { emailKey, emailWritten } from '../../base/email.ts'
import { jobs } from '#db/jobs'
import { users } from '#db/users'
import { take } from '../../services/throttle.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { findVisit } from '../logins/check-login.ts'
import { notify } from '../notifications/notify.ts'
import { asAdministrator } from './as-administrator.ts'
import { pushVerification } from './verify.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Login } from '../logins/make-login.ts'

export interface Profile {
  readonly name: string
  readonly email: string
}

export type ProfileChange =
  | { result: 'wait'; seconds: number }
  | { result: 'taken' }
  | Ended
  | {
      result: 'saved'
      /** Whether it is a different email, not just the same in another case. */
      emailChanged: boolean
      linkMailed: boolean
    }

/** Saves a user's name and email. Another email is unverified until its link is followed (spec: Settings). */
export async function changeProfile(
  app: App,
  login: Login,
  { name, email: typed }: Profile,
): Promise<ProfileChange> {
  const user = await findVisit(app.db, app, login)
  if (!user) return { result: 'ended' }
  // If only the name changes, the email keeps its spelling, for which alone a mailed link is valid.
  const email = typed.normalize('NFC') === user.email ? user.email : emailWritten(typed)
  const seconds = await countEmail(app, user, email)
  if (seconds !== undefined) return { result: 'wait', seconds }
  // With the account read afresh: the notice goes to the email that this change replaces.
  return asUser(app, login, async (tx, before) => {
    const profile = { id: before.id, name, email, emailKey: emailKey(email) }
    const after = await users.updateProfile(tx, profile)
    if (!after) return { result: 'taken' }
    return { result: 'saved', ...(await tellOfEmail(app, tx, { before, after })) }
  })
}

export type EmailSet = { result: 'gone' | 'taken' | 'same' } | { result: 'set'; user: User }

/**
 * Sets another email for an owner who can no longer read the old one. It is unverified, and the owner is
 * notified, as when they change it themselves.
 */
export async function setEmail(app: App, userId: number, typed: string): Promise<EmailSet> {
  const email = emailWritten(typed)
  const set = await asAdministrator(app, userId, async (tx, before): Promise<EmailSet> => {
    if (emailKey(email) === before.emailKey) return { result: 'same' }
    const profile = { id: before.id, name: before.name, email, emailKey: emailKey(email) }
    const after = await users.updateProfile(tx, profile)
    if (!after) return { result: 'taken' }
    await tellOfEmail(app, tx, { before, after })
    return { result: 'set', user: after }
  })
  return set ?? { result: 'gone' }
}

/** Counts a change that sends mail, before it is made. Returns how many seconds to wait. */
async function countEmail(app: App, user: User, email: string): Promise<number | undefined> {
  const isMailed = emailKey(email) !== user.emailKey || needsLink(user, email)
  return isMailed ? take(app, 'email-changes', String(user.id)) : undefined
}

/** Returns whether a new link must be mailed: the last one was made for the exact spelling of the email. */
function needsLink(before: User, email: string): boolean {
  return !before.emailVerifiedAt && before.email !== email
}

/** Sends the mails of a change of email: a link to the new one, and a notice to the old one. */
async function tellOfEmail(app: App, tx: Tx, { before, after }: { before: User; after: User }) {
  const emailChanged = before.emailKey !== after.emailKey
  const linkMailed = emailChanged || needsLink(before, after.email)
  if (linkMailed) await pushVerification(app, tx, after)
  if (emailChanged) {
    // As when an account is deleted: links in mails to the old email no longer lead to this account, and its
    // deletion would find only the mails to its last email.
    await jobs.deleteOfEmail(tx, before)
    await notify(app, tx, before, { kind: 'email-changed', data: { email: after.email } })
  }
  return { emailChanged, linkMailed }
}
