import type { login as en } from '../../en/auth/login.ts'
import type { Translated } from '../../translated.ts'

export const login: Translated<typeof en> = {
  heading: 'Anmelden',
  lead: 'Willkommen zurück.',
  forgot: 'Passwort vergessen?',
  other: 'Neu hier?',
}
