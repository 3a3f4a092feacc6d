import type { dashboard as en } from '../en/dashboard.ts'
import type { Translated } from '../translated.ts'

export const dashboard: Translated<typeof en> = {
  heading: (name) => `Guten Tag, ${name}`,
  lead: 'Ihr Konto auf einen Blick.',
  account: 'Konto',
  verifiedOn: (date) => `Bestätigt am ${date}`,
  notVerified: 'Noch nicht bestätigt',
  twoFactor: 'Anmeldung in zwei Schritten',
  set: 'Festgelegt',
  none: 'Keins',
  on: 'Ein',
  off: 'Aus',
  change: 'Name, E-Mail-Adresse und Foto ändern',
  secure: 'Passwort und angemeldete Browser',
  notifications: 'Benachrichtigungen',
  all: 'Alle ansehen',
  quiet: 'Nichts Neues. Was sich in Ihrem Konto ändert, erfahren Sie hier.',
  waiting: 'In Ihrem Konto hat sich etwas geändert.',
}
