/** Below every page, where the settings name something for it. */
export const footer = {
  support: 'Help',
  terms: 'Terms',
  privacy: 'Privacy policy',
} as const
