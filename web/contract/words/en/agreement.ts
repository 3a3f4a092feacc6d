/** By the button that makes an account, for what there is of the two: `[what a link says](terms)`. */
export const agreement = {
  both: 'By creating an account you agree to the [terms](terms) and the [privacy policy](privacy).',
  terms: 'By creating an account you agree to the [terms](terms).',
  privacy: 'By creating an account you agree to the [privacy policy](privacy).',
  /** After the text of a link, for who cannot see where it opens. */
  newTab: '(opens in a new tab)',
} as const
