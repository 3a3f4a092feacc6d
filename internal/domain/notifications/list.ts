import { notifications } from '#db/notifications'
import { type Paged, pageOf, pagesOf } from '../../base/paging.ts'
import { notificationsAPage as most } from '../../../web/contract/limits.ts'
import type { App } from '../../app.ts'
import type { Notification } from '../../db/notifications.ts'

/**
 * Lists a page of a user's notifications, newest first, with those still unread that this page is about to mark as
 * read.
 */
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
 * Lists the newest unread notifications. The page is always the first: what it shows is read then, so that the next
 * ones come onto the first page. `isShown`: the page is open already, and asks for what has arrived since.
 */
export async function listUnread(
  app: App,
  { userId, isShown }: { userId: number; isShown: boolean },
): Promise<Paged<Notification>> {
  const total = await notifications.countUnread(app.db, userId)
  const list = await notifications.listUnread(app.db, { userId, most, arrived: isShown })
  return { list, page: 1, pages: pagesOf({ total, most }), total }
}
