import { emailKey } from '../../base/email.ts'
import { notifications } from '#db/notifications'
import { publish } from '../../services/events.ts'
import { push } from '../../services/jobs/push.ts'
import { take } from '../../services/throttle.ts'
import { languageOf } from '../mails/language-of.ts'
import { mailboxOf } from '../mails/layout.ts'
import { countNotice, isMailedOften } from './notice-counts.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Notice } from './notification-kinds.ts'

/** The user who is notified of a change. */
export type Recipient = Pick<
  User,
  'id' | 'name' | 'email' | 'emailVerifiedAt' | 'language' | 'lastLanguage'
>

/**
 * Notifies a user of a change, in the transaction of the change: stores the notification, publishes it to
 * open pages and pushes its mail to the address in `user`. A never verified address is mailed at most once a
 * minute and ten times a day (spec: Notifications), any other at most `mostMailed` of a kind a minute.
 */
export async function notify(
  app: App,
  tx: Tx,
  user: Recipient,
  { kind, data }: Notice,
): Promise<void> {
  const at = app.now()
  await notifications.insert(tx, { userId: user.id, kind, data: JSON.stringify(data), at })
  await publish(app, tx, user.id, 'notification')
  const isOften = isMailedOften(app, user.id, kind)
  countNotice(app, tx, user.id, kind)
  if (isOften || (await isTooMuch(app, tx, user))) return
  await push(app, tx, 'notification-mail', {
    userId: user.id,
    to: mailboxOf(user),
    kind,
    data: JSON.stringify(data),
    at: at.toISOString(),
    language: languageOf(user),
  })
}

/** Returns whether a never verified address, maybe a stranger's, was mailed enough (security rule 23). */
async function isTooMuch(
  app: App,
  tx: Tx,
  { email, emailVerifiedAt }: Recipient,
): Promise<boolean> {
  if (emailVerifiedAt) return false
  const by = emailKey(email)
  // In this order: a notification that the minute's limit holds back must not count towards the day's.
  const isSoon = (await take(app, 'unproven-notices', by, tx)) !== undefined
  return isSoon || (await take(app, 'unproven-a-day', by, tx)) !== undefined
}
