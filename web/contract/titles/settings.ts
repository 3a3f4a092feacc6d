import type { Titles } from './title-of.ts'

export const titles = {
  'Settings/Profile': 'Profile',
  'Settings/Security': 'Security',
  'Settings/Tokens': 'API tokens',
  'Settings/Appearance': 'Appearance',
} satisfies Titles<'settings'>
