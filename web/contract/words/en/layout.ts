import { mostUnread } from '../../limits.ts'
import { plural } from '../plural.ts'

/** The layout around the pages of users. */
export const layout = {
  skip: 'Skip to the content',
  account: 'Account menu',
  settings: 'Settings',
  notifications: 'Notifications',
  /** The number on the bell. */
  count: (unread: number) => (unread < mostUnread ? String(unread) : `${mostUnread - 1}+`),
  unread: (count: number) =>
    count === 0
      ? 'No unread notifications'
      : count >= mostUnread
        ? `More than ${mostUnread - 1} unread notifications`
        : plural('en', count, {
            one: '# unread notification',
            other: '# unread notifications',
          }),
} as const
