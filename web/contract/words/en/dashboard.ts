export const dashboard = {
  heading: (name: string) => `Hello, ${name}`,
  stepsHeading: 'First steps',
  done: (done: number, all: number) => `${done} of ${all} done`,
  steps: {
    verify: { title: 'Verify your email', text: 'So that you can always get back in.' },
    passkey: {
      title: 'Add a passkey',
      text: 'Log in with your finger, your face or the code of your device.',
    },
    twoFactor: {
      title: 'Turn on two-factor login',
      text: 'Whoever learns your password still cannot log in.',
    },
    codes: {
      title: 'Save new recovery codes',
      text: 'Yours are nearly used up. They let you in when your phone is lost.',
    },
    photo: { title: 'Add a photo', text: 'It stands by your name in place of your initials.' },
  },
  account: 'Your account',
  verifiedOn: (date: string) => `Verified on ${date}`,
  notVerified: 'Not verified yet',
  notifications: 'Notifications',
  noneUnread: 'None unread',
  profile: 'Edit profile',
  security: 'Security',
} as const
