import { errorTitle } from '../error.ts'
import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  Dashboard: 'Übersicht',
  Error: ({ status }) => errorTitle(status),
  Notifications: ({ notifications: { page, pages }, onlyUnread }) => {
    const title = onlyUnread ? 'Ungelesene Benachrichtigungen' : 'Benachrichtigungen'
    return page > 1 ? `${title}, ${page} von ${pages}` : title
  },
} satisfies Titles<'app'>
