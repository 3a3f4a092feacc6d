/** More than a table has of anybody: an OFFSET needs a LIMIT before it in some databases. */
export const manyRows = 1_000_000_000
