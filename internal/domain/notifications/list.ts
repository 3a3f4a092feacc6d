import { notifications } from '#db/notifications'
import { type Paged, pageOf, pagesOf } from '../../base/paging.ts'
import { publish } from '../../services/events.ts'
import { mostUnread, notificationsAPage as most } from '../../../web/contract/limits.ts'
import type { App } from '../../app.ts'
import type { Notification } from '../../db/notifications.ts'

/** Lists a page of a user's notifications, newest first, as they were before they were shown here. */
export async function listNotifications(
  { db }: App,
  { userId, page }: { userId: number; page: number },
): Promise<Paged<Notification>> {
  return pageOf(page, {
    total: await notifications.count(db, userId),
    most,
    list: (part) => notifications.list(db, { userId, ...part }),
    listBack: (part) => notifications.listOldest(db, { userId, ...part }),
  })
}

/**
 * Lists those that are unread, on a page that is always the first: what it shows is read then, and the next one is the
 * first. `isShown`: the page is there already, and asks for what has arrived since.
 */
export async function listUnread(
  app: App,
  { userId, isShown }: { userId: number; isShown: boolean },
): Promise<Paged<Notification>> {
  const total = await notifications.countUnread(app.db, userId)
  const list = await notifications.listUnread(app.db, { userId, most, arrived: isShown })
  return { list, page: 1, pages: pagesOf({ total, most }), total }
}

/**
 * Marks those of a page read that are not, tells the user's open pages if it marked any, and returns how many of all the
 * user's are unread then, as the bell counts them. Were they told each time, two pages that show notifications
 * would reload each other for ever.
 */
export async function markRead(
  app: App,
  { userId, list, at }: { userId: number; list: readonly Notification[]; at: Date },
): Promise<number> {
  const ids = list.filter(({ readAt }) => readAt === null).map(({ id }) => id)
  if (ids.length > 0) {
    await app.db.transaction(async (tx) => {
      const marked = await notifications.markRead(tx, { userId, ids, at })
      if (marked > 0) await publish(app, tx, userId, 'notification')
    })
  }
  return notifications.countUnreadTo(app.db, { userId, most: mostUnread })
}
