export const dashboard = {
  heading: (name: string) => `Hello, ${name}`,
  lead: 'This is your account as it stands today.',
  account: 'Account',
  verifiedOn: (date: string) => `Verified on ${date}`,
  notVerified: 'Not verified yet',
  twoFactor: 'Two-factor login',
  set: 'Set',
  none: 'None',
  on: 'On',
  off: 'Off',
  notifications: 'Notifications',
  quiet: 'Nothing new. Whatever changes in your account is told here.',
  waiting: 'They tell what has changed in your account.',
} as const

// oxfmt-ignore
export const months = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
] as const
