/**
 * How many parts a photo may have: one of two megabytes has some hundreds, and to look at as many as there is room for would
 * hold up everybody else.
 */
export const mostParts = 10_000
