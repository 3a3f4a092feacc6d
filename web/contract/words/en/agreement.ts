/** By the button that makes an account, for what there is of the two. What is in a list of its own is a link. */
export const agreement = {
  both: [
    'By creating an account you agree to the ',
    ['terms', 'terms'],
    ' and the ',
    ['privacy', 'privacy policy'],
    '.',
  ],
  terms: ['By creating an account you agree to the ', ['terms', 'terms'], '.'],
  privacy: ['By creating an account you agree to the ', ['privacy', 'privacy policy'], '.'],
  /** After the text of a link, for who cannot see where it opens. */
  newTab: '(opens in a new tab)',
} as const
