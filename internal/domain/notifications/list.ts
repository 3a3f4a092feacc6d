import { notifications } from '#db/notifications'
import { type Paged, pageOf, pagesOf } from '../../base/paging.ts'
import { notificationsAPage as most } from '../../../web/contract/limits.ts'
import type { App } from '../../app.ts'
import type { Notification } from '../../db/notifications.ts'

/** Lists a page of notifications, newest first; those that it is about to mark as read are still unread. */
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
 * Lists the newest unread notifications, always as page 1: showing them marks them as read, so that the next
 * ones move up. `isShown`: the page is already open, and asks for what has arrived since.
 */
export async function listUnread(
  app: App,
  { userId, isShown }: { userId: number; isShown: boolean },
): Promise<Paged<Notification>> {
  const total = await notifications.countUnread(app.db, userId)
  const list = await notifications.listUnread(app.db, { userId, most, arrived: isShown })
  return { list, page: 1, pages: pagesOf({ total, most }), total }
}
