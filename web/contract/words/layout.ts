/** What stands around the pages of those who are logged in. */
export const layout = {
  skip: 'Skip to the content',
  account: 'Account menu',
  settings: 'Settings',
  notifications: 'Notifications',
  unread: (count: number) =>
    count === 0
      ? 'No unread notifications'
      : `${count} unread ${count === 1 ? 'notification' : 'notifications'}`,
} as const
