import type { register as en } from '../../en/auth/register.ts'
import type { Translated } from '../../translated.ts'

export const register: Translated<typeof en> = {
  heading: 'Konto anlegen',
  lead: 'Name, E-Mail-Adresse und Passwort genügen.',
  other: 'Sie haben schon ein Konto?',
  sent: 'Erstellen Sie Ihren Passkey über den Link, der zu dieser Adresse unterwegs ist:',
}
