export const register = {
  heading: 'Create account',
  lead: 'It takes a name, an email and a password.',
  other: 'You have an account?',
} as const
