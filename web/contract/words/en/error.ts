const errorTitles: Readonly<Record<number, string>> = {
  0: 'This page cannot be reached',
  403: 'This could not be accepted',
  404: 'There is no page here',
  408: 'This took too long',
  413: 'This is too large',
  500: 'Something went wrong',
  503: 'Not available at the moment',
}

/** Returns the title and heading of an error page. */
export function errorTitle(status: number): string {
  return errorTitles[status] ?? 'This could not be answered'
}

/**
 * The text below the title of an error page, by status. `away`: the database is unavailable. `inDoubt`: it is
 * unknown whether a change was committed. `other`: for any other status.
 */
export const errorPages = {
  403: {
    text: 'Go back to the page that you came from, load it again, and try once more.',
  },
  408: {
    text: 'Your request did not arrive in time. Send a smaller file, or try again on a faster connection.',
  },
  413: { text: 'That is more than this site accepts. Send less, or a smaller file.' },
  404: { text: 'The address may be mistyped, or the page may have moved.' },
  500: { text: 'The fault is on our side, and it has been noted. Try again in a moment.' },
  503: { text: 'Too many requests are coming in at once. Try again in a few seconds.' },
  away: { text: 'This site cannot use its database just now. Try again in a few seconds.' },
  inDoubt: {
    text: 'The database did not answer as your change was being saved, so it is not known whether it was. Check whether it is there before you try again.',
  },
  other: {
    text: 'This site does not understand the request. Go back, load the page again, and try once more.',
  },
} as const

/** The button that requests the page again. */
export const tryAgain = 'Try again'

/** Precedes the request's ID, by which its log lines are found. */
export const errorReference = 'If you ask for help, give this reference:'
