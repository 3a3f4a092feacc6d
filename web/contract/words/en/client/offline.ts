/** Messages while the network is gone, and once it is back. */
export const offline = {
  away: 'You are offline. What you type stays here.',
  back: 'You are connected again.',
  backUnsure:
    'You are connected again. What you pressed had no answer: see whether it was done before you press again.',
  unheard:
    'You left before what you pressed had an answer: see whether it was done before you press again.',
  photoUnsent: 'Your photo was not sent: you left its page too soon. Choose it once more.',
  page: 'There is no connection to the server. The page opens by itself as soon as there is one.',
} as const
