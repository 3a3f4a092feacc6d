import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  'Auth/Register': 'Create account',
  'Auth/VerifyEmail': 'Verify your email',
  'Auth/ForgotPassword': 'Forgotten password',
  'Auth/ResetPassword': 'Set a password',
  'Auth/ConfirmPassword': 'Confirm that it is you',
  'Auth/TwoFactorChallenge': 'Confirm your login',
  'Auth/RegisterPasskey': 'Make your passkey',
} satisfies Titles<'card'>
