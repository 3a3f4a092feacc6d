/** Beside the button that makes an account, by which of the two links there are. A link is `[text](terms)`. */
export const agreement = {
  both: 'By creating an account you agree to the [terms](terms). The [privacy policy](privacy) says what happens to your data.',
  terms: 'By creating an account you agree to the [terms](terms).',
  privacy: 'The [privacy policy](privacy) says what happens to your data.',
  /** After the text of a link, for screen readers. */
  newTab: '(opens in a new tab)',
} as const
