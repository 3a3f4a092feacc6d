import * as limits from '../../limits.ts'
import type { labels as en } from '../en/labels.ts'
import type { Translated } from '../translated.ts'

export const labels: Translated<typeof en> = {
  name: 'Name',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  confirmPassword: 'Passwort wiederholen',
  newPassword: 'Neues Passwort',
  currentPassword: 'Aktuelles Passwort',
  passwordHint: `Mindestens ${limits.shortestPassword} Zeichen. Ein paar Wörter hintereinander merkt man sich leicht.`,
  remember: `${limits.rememberedDays} Tage angemeldet bleiben`,
  code: 'Code',
  recoveryCode: 'Wiederherstellungscode',
  showPassword: 'Passwort anzeigen',
}
