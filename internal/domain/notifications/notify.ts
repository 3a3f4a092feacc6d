import { notifications } from '#db/notifications'
import { publish } from '../../services/events.ts'
import { push } from '../../services/jobs/push.ts'
import { mailboxOf } from '../mails/layout.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Notice } from './kinds.ts'

/** Whom a change is told to. */
type Told = Pick<User, 'id' | 'name' | 'email' | 'emailVerifiedAt'>

/**
 * Tells a user of a change, in the transaction of the change: stores the notification, publishes it to open pages
 * and has it mailed to the address that `user` has here (spec: Notifications).
 */
export async function notify(app: App, tx: Tx, user: Told, { kind, data }: Notice): Promise<void> {
  const at = app.now()
  await notifications.insert(tx, { userId: user.id, kind, data: JSON.stringify(data), at })
  await publish(app, tx, user.id, 'notification')
  await push(app, tx, 'notification-mail', {
    to: mailboxOf(user),
    kind,
    data: JSON.stringify(data),
    at: at.toISOString(),
  })
}
