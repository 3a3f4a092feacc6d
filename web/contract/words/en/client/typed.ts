/** Messages about text that was typed and not sent. */
export const typedWords = {
  before: 'What you typed before is here again, and not saved yet.',
} as const
