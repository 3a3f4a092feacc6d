import type { appearance as en } from '../../en/settings/appearance.ts'
import type { Translated } from '../../translated.ts'

export const appearance: Translated<typeof en> = {
  heading: 'Darstellung',
  lead: 'So sehen die Seiten in diesem Browser aus. In Ihren anderen Browsern gilt, was Sie dort gewählt haben.',
  choices: {
    light: ['Hell', 'Dunkle Schrift auf hellem Grund.'],
    dark: ['Dunkel', 'Helle Schrift auf dunklem Grund.'],
    system: ['System', 'Wie auf diesem Gerät eingestellt.'],
  },
  language: 'Sprache',
  languageLead: 'Für die Seiten und für die E-Mails, die wir Ihnen schicken.',
  useLanguage: 'Sprache übernehmen',
  noScript:
    'Für die Auswahl ist JavaScript nötig. Ohne JavaScript folgen die Seiten der Einstellung Ihres Geräts.',
}
