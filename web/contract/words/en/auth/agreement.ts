/** Next to the button that creates an account, by which of the two links exist. A link is `[text](terms)`. */
export const agreement = {
  both: 'By creating an account you agree to the [terms](terms). The [privacy policy](privacy) says what happens to your data.',
  terms: 'By creating an account you agree to the [terms](terms).',
  privacy: 'The [privacy policy](privacy) says what happens to your data.',
  /** After the text of a link, for screen readers. */
  newTab: '(opens in a new tab)',
} as const
