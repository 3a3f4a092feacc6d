import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  'Settings/Profile': 'Profile',
  'Settings/Security': 'Security',
  'Settings/Tokens': 'API tokens',
  'Settings/Appearance': 'Appearance',
} satisfies Titles<'settings'>
