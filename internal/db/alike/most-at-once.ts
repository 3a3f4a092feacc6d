/** Rows: deleting more of them would hold up all others, and take longer than a statement may. */
export const mostAtOnce = 2_000
