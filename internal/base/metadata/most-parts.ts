/**
 * How many parts a photo may have. One of two megabytes has some hundreds; going through as many as would fit into the
 * file would keep the event loop from all other requests.
 */
export const mostParts = 10_000
