/**
 * The most parts that a photo may have. One of two megabytes has some hundreds; walking through as many as
 * fit into the file would block the event loop.
 */
export const mostParts = 10_000
