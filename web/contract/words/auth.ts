export const login = {
  heading: 'Log in',
  lead: 'Good to see you again.',
  forgot: 'Forgotten your password?',
  other: 'New here?',
} as const

export const register = {
  heading: 'Create account',
  lead: 'It takes a name, an email and a password.',
  other: 'You have an account?',
} as const
