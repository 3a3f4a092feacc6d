/** Rows deleted per statement: more would hold up other connections and exceed a statement's time limit. */
export const mostAtOnce = 2_000
