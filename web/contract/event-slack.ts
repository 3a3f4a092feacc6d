/**
 * Milliseconds that the request of an event stream may travel, and that an event may wait for its commit: what happened
 * so shortly before a page was asked for is told to it once more, since the page may have been read before that.
 */
export const eventSlack = 5_000
