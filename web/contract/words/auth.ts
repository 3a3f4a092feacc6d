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
  sent: 'A link is on its way to',
  open: 'Open it in any browser, and your account is ready to use.',
  hint: 'Nothing after a few minutes? Look among the unwanted mail, and check that the address above is yours.',
} as const
