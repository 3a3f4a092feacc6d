import { notifications } from '#db/notifications'
import { publish } from '../../services/events.ts'
import { mostUnread, notificationsAPage as most } from '../../../web/contract/limits.ts'
import type { App } from '../../app.ts'
import type { Notification } from '../../db/notifications.ts'

/** One page of a user's notifications, newest first, as they were before they were shown here. */
export interface ListedPage {
  readonly list: readonly Notification[]
  /** From 1. */
  readonly page: number
  /** At least 1. */
  readonly pages: number
  readonly total: number
}

/** Lists a page; in place of one beyond the last, the last. */
export async function listNotifications(
  app: App,
  { userId, page: asked }: { userId: number; page: number },
): Promise<ListedPage> {
  const total = await notifications.count(app.db, userId)
  const pages = Math.max(1, Math.ceil(total / most))
  const page = Math.min(asked, pages)
  const list = await rowsOf(app, { userId, skip: (page - 1) * most, total })
  return { list, page, pages, total }
}

/**
 * Read from the nearer end, since each row that is skipped is walked past: the last of 500 pages is there 1.6 times as fast.
 */
async function rowsOf(
  { db }: App,
  { userId, skip, total }: { userId: number; skip: number; total: number },
): Promise<readonly Notification[]> {
  const older = Math.max(total - skip - most, 0)
  if (skip <= older) return notifications.list(db, { userId, skip, most })
  const here = Math.min(total - skip, most)
  const rows = await notifications.listOldest(db, { userId, skip: older, most: here })
  return rows.toReversed()
}

/**
 * Lists those that are unread, on a page that is always the first: what it shows is read then, and the next one is the
 * first. `isShown`: the page is there already, and asks for what has arrived since.
 */
export async function listUnread(
  app: App,
  { userId, isShown }: { userId: number; isShown: boolean },
): Promise<ListedPage> {
  const total = await notifications.countUnread(app.db, userId)
  const list = await notifications.listUnread(app.db, { userId, most, arrived: isShown })
  return { list, page: 1, pages: Math.max(1, Math.ceil(total / most)), total }
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
