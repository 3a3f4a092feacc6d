import { mailSent } from '../auth/mail-sent.ts'
import { resetOver } from '../auth/recover.ts'
import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  'Auth/Register': ({ sent }) => (sent ? mailSent.heading : 'Create account'),
  'Auth/VerifyEmail': 'Verify your email',
  'Auth/ForgotPassword': ({ sent }) => (sent ? mailSent.heading : 'Forgotten password'),
  'Auth/ResetPassword': ({ valid }) => (valid ? 'Set a password' : resetOver.heading),
  'Auth/ConfirmPassword': 'Confirm that it is you',
  'Auth/TwoFactorChallenge': 'Confirm your login',
  'Auth/RegisterPasskey': 'Make your passkey',
} satisfies Titles<'card'>
