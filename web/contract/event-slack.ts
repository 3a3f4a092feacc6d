/**
 * Milliseconds that the request of an event stream may travel, and that an event may wait for its commit. The stream
 * also tells of events that came up to so long before the page was asked for: the page may have been read without them.
 */
export const eventSlack = 5_000
