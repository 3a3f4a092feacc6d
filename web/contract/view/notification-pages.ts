import { paths } from '../paths.ts'
import { notifications as words } from '#words/notifications'
import { pageLinks, type PageLinks } from './page-links.ts'
import type { NotificationLine, PageProps } from '../pages.ts'

interface Choice {
  readonly href: string
  readonly name: string
  readonly isShown: boolean
}

const listPath = paths['notifications.index']
const unread = `${listPath}?unread`

/** Returns the links to all notifications, and to the unread ones. */
export function whichNotifications(onlyUnread: boolean): readonly Choice[] {
  return [
    { href: listPath, name: words.all, isShown: !onlyUnread },
    { href: unread, name: words.unread, isShown: onlyUnread },
  ]
}

/** Returns the links to newer and older notifications. */
export function notificationPageLinks({
  notifications,
  onlyUnread,
}: Pick<PageProps<'Notifications'>, 'notifications' | 'onlyUnread'>): PageLinks {
  const links = pageLinks(notifications, listPath)
  return onlyUnread && links.after ? { ...links, after: unreadAfter(notifications.data) } : links
}

/**
 * Returns the link to the next unread notifications. Those on this page are read once shown, so the next ones
 * are then on the first page of the unread. `seen`, which the server ignores, makes the URL differ, so that
 * the browser's back button leads here.
 */
function unreadAfter(lines: readonly NotificationLine[]): string {
  return `${unread}&seen=${lines.at(-1)?.id}`
}
