/** The navigation between the pages of the settings. */
export const settings = {
  pages: 'Settings',
  profile: 'Profile',
  security: 'Security',
  tokens: 'API tokens',
  appearance: 'Appearance',
} as const
