/** The pages that a mailed link or a guard leads to. */
export const forgotPassword = {
  heading: 'Forgotten your password?',
  lead: 'Tell us your email. If there is an account with it, we mail you a link to set a new password.',
  back: 'Remembered it?',
} as const

export const resetPassword = {
  heading: 'Set a password',
  lead: 'Choose a password to log in with, whether your old one or your passkeys are lost. Every other browser will be logged out.',
  back: 'Has the link expired?',
  again: 'Ask for another',
} as const

/** Replaces the form when the link no longer works. */
export const resetOver = {
  heading: 'This link no longer works',
  lead: 'It has expired, was used before, or was not copied in full.',
  to: 'We can send a new one to this address:',
  send: 'Send a new link',
} as const

/** After the form was sent. The page does not reveal whether there is such an account. */
export const resetSent = {
  lead: 'If this email has an account, a link to set a new password is on its way:',
} as const

export const confirmPassword = {
  heading: 'Confirm that it is you',
  lead: 'What comes next can change your account, so please type your password once more.',
  leadPasskey: 'What comes next can change your account, so please use your passkey once more.',
  unable:
    'Your browser cannot use a passkey right now: that needs JavaScript. To go on without it, log out and ask for a link to set a password.',
  lost: 'Forgotten your password? Log out, and ask for a link to set a new one.',
  lostPasskey: 'Lost your passkey? Log out, and ask for a link to set a password.',
} as const

export const verify = {
  lead: 'To verify your email, open the link that we mailed to this address:',
} as const
