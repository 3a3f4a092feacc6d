import { paths } from '../paths.ts'
import { notifications as words } from '#words/notifications'
import { pageWays, type PageWays } from './page-ways.ts'
import type { NotificationLine, PageProps } from '../pages.ts'

interface Choice {
  readonly href: string
  readonly name: string
  readonly isShown: boolean
}

const all = paths['notifications.index']
const unread = `${all}?unread`

/** All of them, or those that are unread. */
export function whichNotifications(onlyUnread: boolean): readonly Choice[] {
  return [
    { href: all, name: words.all, isShown: !onlyUnread },
    { href: unread, name: words.unread, isShown: onlyUnread },
  ]
}

/** Where the newer and the older ones are. */
export function notificationWays({
  notifications,
  onlyUnread,
}: Pick<PageProps<'Notifications'>, 'notifications' | 'onlyUnread'>): PageWays {
  const ways = pageWays(notifications, all)
  return onlyUnread && ways.after ? { ...ways, after: unreadAfter(notifications.data) } : ways
}

/**
 * Those that are shown are read by that: the next of the unread are the first ones then. What was seen last is said for the
 * browser alone: by an address that is the same there would be no way back.
 */
function unreadAfter(shown: readonly NotificationLine[]): string {
  return `${unread}&seen=${shown.at(-1)?.id}`
}
