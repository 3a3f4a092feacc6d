/** By the button that makes an account, for what there is of the two: `[what a link says](terms)`. */
export const agreement = {
  both: 'By creating an account you agree to the [terms](terms). The [privacy policy](privacy) says what happens to your data.',
  terms: 'By creating an account you agree to the [terms](terms).',
  privacy: 'The [privacy policy](privacy) says what happens to your data.',
  /** After the text of a link, for who cannot see where it opens. */
  newTab: '(opens in a new tab)',
} as const
