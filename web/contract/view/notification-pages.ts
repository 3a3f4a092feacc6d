import { paths } from '../paths.ts'
import { notifications as words } from '#words/notifications'
import { pageLinks, type PageLinks } from './page-links.ts'
import type { NotificationLine, PageProps } from '../pages.ts'

interface FilterLink {
  readonly href: string
  readonly name: string
  readonly isCurrent: boolean
}

const listPath = paths['notifications.index']
const unreadPath = `${listPath}?unread`

/** Returns the links that list all notifications, or the unread ones only. */
export function notificationFilters(onlyUnread: boolean): readonly FilterLink[] {
  return [
    { href: listPath, name: words.all, isCurrent: !onlyUnread },
    { href: unreadPath, name: words.unread, isCurrent: onlyUnread },
  ]
}

/** Returns the links to newer and older notifications. */
export function notificationPageLinks({
  notifications,
  onlyUnread,
}: Pick<PageProps<'Notifications'>, 'notifications' | 'onlyUnread'>): PageLinks {
  const links = pageLinks(notifications, listPath)
  return onlyUnread && links.next ? { ...links, next: nextUnread(notifications.data) } : links
}

/**
 * Returns the link to the next unread notifications. Those on this page are read once shown, so the next ones
 * are then on the first page of the unread. `seen`, which the server ignores, makes the URL differ, so that
 * the browser's back button leads here.
 */
function nextUnread(lines: readonly NotificationLine[]): string {
  return `${unreadPath}&seen=${lines.at(-1)?.id}`
}
