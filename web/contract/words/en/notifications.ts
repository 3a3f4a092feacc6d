import { notificationDays } from '../../limits.ts'

export const notifications = {
  heading: 'Notifications',
  lead: `What has changed in your account. What you have read is deleted after ${notificationDays} days.`,
  none: 'Nothing yet',
  noneText:
    'When something changes in your account, such as a login from a new browser, you see it here.',
  isNew: 'New',
  which: 'Which notifications',
  all: 'All',
  unread: 'Unread',
  noneUnread: 'Nothing unread',
  noneUnreadText: 'You are all caught up.',
  seeAll: 'See all notifications',
  from: (address: string) => `from ${address}`,
  pages: 'Pages of notifications',
  newer: 'Newer',
  older: 'Older',
} as const
