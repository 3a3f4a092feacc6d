/** What an error says below its title, by status; `other` for any status that has no words of its own. */
export const errorPages = {
  403: {
    text: 'The request was turned away. Go back to the page you came from, load it again, and try once more.',
  },
  404: { text: 'The address may be mistyped, or the page may have moved.' },
  500: { text: 'The fault is on our side, and it has been noted. Try again in a moment.' },
  503: { text: 'There is more to do than can be done at once. Try again in a few seconds.' },
  other: { text: 'The request was not one that this site understands.' },
} as const
