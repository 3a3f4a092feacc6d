import { leadOf } from '../../domain/notifications/notification-kinds.ts'
import { lineOf } from '../../domain/notifications/line.ts'
import { listNotifications, listUnread } from '../../domain/notifications/list.ts'
import { markRead } from '../../domain/accounts/mark-read.ts'
import { isLook } from '../head-or-prefetch.ts'
import { pageNumber } from '../page-number.ts'
import { isAsked, page } from '../page/page.ts'
import { loginEnded } from '../reply.ts'
import type { NotificationLine } from '../../../web/contract/pages.ts'
import type { Notification } from '../../db/notifications.ts'
import type { Context, UserContext } from '../context.ts'
import type { Handler } from '../form/form.ts'

/** Lists the user's notifications, and marks those shown as read (spec: Notifications page). */
export const showNotifications: Handler<UserContext> = async (c) => {
  const { visitor } = c
  const { userId } = visitor.login
  const onlyUnread = new URLSearchParams(c.search).has('unread')
  const { list, ...pages } = onlyUnread
    ? await listUnread(c.app, { userId, isShown: !c.isVisit })
    : await listNotifications(c.app, { userId, page: pageNumber(c) })
  const at = c.app.now()
  const shows = !isLook(c) && isAsked(c, 'Notifications', 'notifications')
  if (shows) {
    const marked = await markRead(c.app, visitor.login, { list, at })
    if (marked.result === 'ended') return loginEnded(c)
    // The unread count in this answer excludes them.
    c.visitor = { ...visitor, unread: marked.unread }
  }
  const data = list.map((row) => shownLine(c, row, shows ? at : null))
  return page(c, 'Notifications', { notifications: { data, ...pages }, onlyUnread })
}

function shownLine(c: Context, row: Notification, markedAt: Date | null): NotificationLine {
  const { id, kind, createdAt, readAt } = row
  return {
    id,
    kind,
    text: lineOf(row, c.words.lines),
    language: c.language,
    ...leadOf(row),
    createdAt: createdAt.toISOString(),
    readAt: (readAt ?? markedAt)?.toISOString() ?? null,
    unread: readAt === null,
  }
}
