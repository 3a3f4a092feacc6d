/** Messages of the page client itself. */
export const clientWords = {
  gone: 'The server does not answer. What you typed is still here: try again in a moment.',
  notAPage:
    "The server's answer cannot be read. What you typed is still here: try again in a moment.",
  dismiss: 'Dismiss',
} as const
