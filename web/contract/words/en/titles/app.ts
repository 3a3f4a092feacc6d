import { errorTitle } from '../error.ts'
import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  Dashboard: 'Dashboard',
  Error: ({ status }) => errorTitle(status),
  Notifications: ({ notifications: { page, pages }, onlyUnread }) => {
    const title = onlyUnread ? 'Unread notifications' : 'Notifications'
    return page > 1 ? `${title}, ${page} of ${pages}` : title
  },
} satisfies Titles<'app'>
