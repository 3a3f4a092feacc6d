import { isolated } from '../isolated.ts'
import type { dashboard as en } from '../en/dashboard.ts'
import type { Translated } from '../translated.ts'

export const dashboard: Translated<typeof en> = {
  heading: (name) => `Guten Tag, ${isolated(name)}`,
  stepsHeading: 'Erste Schritte',
  done: (done, total) => `${done} von ${total} erledigt`,
  steps: {
    verify: {
      title: 'E-Mail-Adresse bestätigen',
      text: 'Damit Sie jederzeit wieder in Ihr Konto kommen.',
    },
    passkey: {
      title: 'Passkey hinzufügen',
      text: 'Melden Sie sich per Fingerabdruck, Gesicht oder Gerätecode an.',
    },
    twoFactor: {
      title: 'Anmeldung in zwei Schritten einschalten',
      text: 'Dann kommt mit Ihrem Passwort allein niemand in Ihr Konto.',
    },
    codes: {
      title: 'Neue Wiederherstellungscodes sichern',
      text: 'Die bisherigen sind ganz oder fast aufgebraucht. Mit ihnen kommen Sie ins Konto, falls Sie Ihr Telefon verlieren.',
    },
    saved: {
      title: 'Wiederherstellungscodes sichern',
      text: 'Mit ihnen kommen Sie ins Konto, falls Sie Ihr Telefon verlieren.',
    },
    photo: {
      title: 'Foto hinzufügen',
      text: 'Es wird statt der Initialen neben Ihrem Namen angezeigt.',
    },
  },
  account: 'Ihr Konto',
  verifiedOn: (date) => `Bestätigt am ${date}`,
  notVerified: 'Noch nicht bestätigt',
  notifications: 'Benachrichtigungen',
  noneUnread: 'Keine ungelesenen',
  profile: 'Profil bearbeiten',
  security: 'Sicherheit',
}
