import type { settings as en } from '../../en/settings/settings.ts'
import type { Translated } from '../../translated.ts'

/** The navigation between the pages of the settings. */
export const settings: Translated<typeof en> = {
  pages: 'Einstellungen',
  profile: 'Profil',
  security: 'Sicherheit',
  tokens: 'API-Tokens',
  appearance: 'Darstellung',
}
