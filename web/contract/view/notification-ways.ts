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

/** The links to all notifications, and to the unread ones. */
export function whichNotifications(onlyUnread: boolean): readonly Choice[] {
  return [
    { href: all, name: words.all, isShown: !onlyUnread },
    { href: unread, name: words.unread, isShown: onlyUnread },
  ]
}

/** The links to the pages with newer and with older notifications. */
export function notificationWays({
  notifications,
  onlyUnread,
}: Pick<PageProps<'Notifications'>, 'notifications' | 'onlyUnread'>): PageWays {
  const ways = pageWays(notifications, all)
  return onlyUnread && ways.after ? { ...ways, after: unreadAfter(notifications.data) } : ways
}

/**
 * The link to the next unread notifications. Those on this page are read once they are shown, so the next ones are on
 * the first page of the unread then. `seen` makes the address another one for the browser, so that its way back leads
 * here; the server ignores it.
 */
function unreadAfter(shown: readonly NotificationLine[]): string {
  return `${unread}&seen=${shown.at(-1)?.id}`
}
