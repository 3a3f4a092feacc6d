/** Links below every page, where the settings name them. */
export const footer = {
  support: 'Help',
  terms: 'Terms',
  privacy: 'Privacy policy',
} as const
