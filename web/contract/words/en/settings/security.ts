export const security = {
  heading: 'Security',
  missing: {
    nothing: 'Nothing is missing: your account is well protected.',
    twoFactor: 'Anyone who learns your password gets in. Turn on two-factor login.',
    codes: 'Hardly any recovery codes are left, or none. Make new ones.',
    saved: 'Save your recovery codes: without them a lost phone locks you out.',
    secondWay: 'One passkey is your only way in. Add another, or a password.',
    passkey: 'Add a passkey: no fake page can steal it.',
  },
  parts: {
    nav: 'On this page',
    passkeys: 'Passkeys',
    password: 'Password',
    set: 'Set',
    notSet: 'None',
    lastLogin: 'Last login',
    browsers: 'Browsers',
    loggedIn: (count: number, areMore: boolean) =>
      areMore ? `More than ${count}` : `${count} logged in`,
    tokens: 'API tokens',
    count: (count: number) => (count === 0 ? 'None' : String(count)),
  },
  change: 'Change your password',
  changeText: 'Every other browser is logged out, and you stay logged in here.',
  set: 'Set a password',
  setText:
    'Your account has none yet: you log in with a passkey. A password gives you a second way in.',
  removePassword: 'Remove your password',
  removeText: 'You then log in with your passkeys alone.',
  removeButton: 'Remove password',
  removeSure: 'Remove your password?',
  removeSureText:
    'Every other browser is logged out. You can set a new password whenever you like.',
  removeKeep: 'Keep it',
  logins: 'Where you are logged in',
  loginsText:
    'If you do not recognise a browser, log it out, change your password, and remove each passkey that you do not know.',
  loginsTextNoPassword:
    'If you do not recognise a browser, log it out, and remove each passkey that you do not know.',
  more: 'More browsers than these are logged in. Log out of every other browser to end them too.',
  noOther: 'No other browser is logged in.',
  thisBrowser: 'This browser',
  of: (browser: string) => `of ${browser}`,
  loggedIn: (time: string) => `Logged in ${time}`,
  lastSeen: (time: string) => `Last seen ${time}`,
} as const
