import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  'Settings/Profile': 'Profil',
  'Settings/Security': 'Sicherheit',
  'Settings/Tokens': 'API-Tokens',
  'Settings/Appearance': 'Darstellung',
} satisfies Titles<'settings'>
