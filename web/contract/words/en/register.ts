export const register = {
  heading: 'Create account',
  lead: 'It takes a name, an email and a password.',
  other: 'You have an account?',
  /** Once a passkey was asked for. */
  sent: 'To make your passkey, open the link that is on its way to this address:',
} as const
