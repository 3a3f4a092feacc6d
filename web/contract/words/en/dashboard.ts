import { isolated } from '../isolated.ts'

export const dashboard = {
  heading: (name: string) => `Hello, ${isolated(name)}`,
  stepsHeading: 'First steps',
  done: (done: number, total: number) => `${done} of ${total} done`,
  steps: {
    verify: { title: 'Verify your email', text: 'So that you can always get back in.' },
    passkey: {
      title: 'Add a passkey',
      text: 'Log in with your fingerprint, your face or your device PIN.',
    },
    twoFactor: {
      title: 'Turn on two-factor login',
      text: 'Then your password alone lets nobody in.',
    },
    codes: {
      title: 'Save new recovery codes',
      text: 'Yours are used up, or nearly so. They let you in if you lose your phone.',
    },
    saved: {
      title: 'Save your recovery codes',
      text: 'They let you in if you lose your phone.',
    },
    photo: { title: 'Add a photo', text: 'It is shown with your name, in place of your initials.' },
  },
  account: 'Your account',
  verifiedOn: (date: string) => `Verified on ${date}`,
  notVerified: 'Not verified yet',
  notifications: 'Notifications',
  noneUnread: 'None unread',
  profile: 'Edit profile',
  security: 'Security',
} as const
