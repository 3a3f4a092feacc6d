import { mailSent } from '../auth/mail-sent.ts'
import { resetOver } from '../auth/recover.ts'
import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  'Auth/Register': ({ sent }) => (sent ? mailSent.heading : 'Konto anlegen'),
  'Auth/VerifyEmail': 'E-Mail-Adresse bestätigen',
  'Auth/ForgotPassword': ({ sent }) => (sent ? mailSent.heading : 'Passwort vergessen'),
  'Auth/ResetPassword': ({ valid }) => (valid ? 'Passwort festlegen' : resetOver.heading),
  'Auth/ConfirmPassword': 'Bestätigen Sie, dass Sie es sind',
  'Auth/TwoFactorChallenge': 'Anmeldung bestätigen',
  'Auth/RegisterPasskey': 'Passkey erstellen',
} satisfies Titles<'card'>
