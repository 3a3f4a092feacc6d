/**
 * How many parts of a photo are looked at: one of two megabytes has some hundreds, and as many as there is room for would
 * hold up everybody else. What comes after them is not kept.
 */
export const mostParts = 10_000
