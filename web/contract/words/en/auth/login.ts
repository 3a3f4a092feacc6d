export const login = {
  heading: 'Log in',
  lead: 'Good to see you again.',
  forgot: 'Forgotten your password?',
  other: 'New here?',
} as const
