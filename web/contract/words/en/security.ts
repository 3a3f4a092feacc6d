export const security = {
  heading: 'Security',
  change: 'Change your password',
  changeText: 'Every other browser is logged out, and you stay logged in here.',
  set: 'Set a password',
  setText:
    'Your account has none: you log in with a passkey. With a password you have a second way in.',
  removePassword: 'Remove your password',
  removeText: 'You then log in with your passkeys alone.',
  removeButton: 'Remove password',
  removeSure: 'Remove your password?',
  removeSureText:
    'Every other browser is logged out. You can set a new password whenever you like.',
  removeKeep: 'Keep it',
  logins: 'Where you are logged in',
  loginsText: 'Log out a browser that you do not know, and change your password.',
  more: 'More browsers than these are logged in. Log out of every other browser to end them too.',
  thisBrowser: 'This browser',
  of: (browser: string) => `of ${browser}`,
  loggedIn: (time: string) => `Logged in ${time}`,
  lastSeen: (time: string) => `Last seen ${time}`,
} as const
