export const login = {
  heading: 'Log in',
  lead: 'Good to see you again.',
  other: 'New here?',
} as const

export const register = {
  heading: 'Create account',
  lead: 'It takes a name, an email and a password.',
  passwordHint: 'At least 8 characters. A few words in a row are easy to keep in mind.',
  other: 'You have an account?',
} as const

export const verify = {
  heading: 'Verify your email',
  lead: 'The dashboard opens once this email is verified:',
  hint: 'Is it mistyped? Log out, and create an account with the right one.',
} as const
