import { notifications } from '#db/notifications'
import { publish } from '../../services/events.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { mostUnread } from '../../../web/contract/limits.ts'
import type { App } from '../../app.ts'
import type { Notification } from '../../db/notifications.ts'
import type { Login } from '../logins/make-login.ts'

/**
 * Marks the unread notifications of a page as read, notifies the user's open pages if it marked any, and
 * returns how many of all the user's remain unread, as the bell shows them. If pages were notified each time,
 * two that show notifications would reload each other forever.
 */
export async function markRead(
  app: App,
  login: Login,
  { list, at }: { list: readonly Notification[]; at: Date },
): Promise<Ended | { result: 'read'; unread: number }> {
  const { userId } = login
  const ids = list.filter(({ readAt }) => readAt === null).map(({ id }) => id)
  if (ids.length > 0) {
    const ended = await asUser(app, login, async (tx) => {
      const marked = await notifications.markRead(tx, { userId, ids, at })
      if (marked > 0) await publish(app, tx, userId, 'notification')
    })
    if (ended) return ended
  }
  const unread = await notifications.countUnreadTo(app.db, { userId, most: mostUnread })
  return { result: 'read', unread }
}
