export const register = {
  heading: 'Create account',
  lead: 'All it takes is a name, an email and a password.',
  other: 'Already have an account?',
  /** After the person asked for an account with a passkey. */
  sent: 'To make your passkey, open the link that is on its way to this address:',
} as const
