/**
 * Milliseconds that an event stream's request may take to arrive, and that an event may wait for its commit.
 * The stream also delivers events this much older than the page, which may have been read without them.
 */
export const eventSlack = 5_000
