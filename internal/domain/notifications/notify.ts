import { emailKey } from '../../base/email.ts'
import { notifications } from '#db/notifications'
import { publish } from '../../services/events.ts'
import { push } from '../../services/jobs/push.ts'
import { take } from '../../services/throttle.ts'
import { languageOf } from '../mails/language-of.ts'
import { mailboxOf } from '../mails/layout.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Notice } from './notification-kinds.ts'

/** Whom a change is told to. */
export type Recipient = Pick<
  User,
  'id' | 'name' | 'email' | 'emailVerifiedAt' | 'language' | 'lastLanguage'
>

/**
 * Tells a user of a change, in the transaction of the change: stores the notification, publishes it to open pages and
 * has it mailed to the address that `user` has here. An address that was never verified is mailed one a minute and ten
 * a day at most (spec: Notifications). `isMailed`: whether it is to be mailed at all.
 */
export async function notify(
  app: App,
  tx: Tx,
  user: Recipient,
  { kind, data, isMailed = true }: Notice & { readonly isMailed?: boolean },
): Promise<void> {
  const at = app.now()
  await notifications.insert(tx, { userId: user.id, kind, data: JSON.stringify(data), at })
  await publish(app, tx, user.id, 'notification')
  if (!isMailed || (await isTooMuch(app, tx, user))) return
  await push(app, tx, 'notification-mail', {
    userId: user.id,
    to: mailboxOf(user),
    kind,
    data: JSON.stringify(data),
    at: at.toISOString(),
    language: languageOf(user),
  })
}

/** Whether an address that was never verified has been mailed enough: it may be a stranger's (security rule 23). */
async function isTooMuch(
  app: App,
  tx: Tx,
  { email, emailVerifiedAt }: Recipient,
): Promise<boolean> {
  if (emailVerifiedAt) return false
  const by = emailKey(email)
  // In this order: a notification that the minute holds back must not count for the day.
  const isSoon = (await take(app, 'unproven-notices', by, tx)) !== undefined
  return isSoon || (await take(app, 'unproven-a-day', by, tx)) !== undefined
}
