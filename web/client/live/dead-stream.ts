// Milliseconds that a stream may take to open, and that a computer may sleep: after more the stream counts as dead.
const longestSilence = 60_000
// Longer than the server leaves a stream open: a stream that is open still has ended without the browser knowing.
const longestOpen = 16 * 60_000
const between = 5_000

/**
 * Calls `tell` when nothing can come by a stream any more though the browser takes it for open, as after a change of
 * networks. Only time tells: a browser does not show scripts the comments that the server sends to keep a stream alive.
 */
export function noticeDead(source: EventSource, tell: () => void): void {
  // By the time of day: on some systems `performance.now()` stands still while the computer sleeps.
  let since = Date.now()
  let looked = since
  for (const name of ['open', 'error'])
    source.addEventListener(name, () => {
      since = Date.now()
    })
  const watch = setInterval(() => {
    if (source.readyState === EventSource.CLOSED) return clearInterval(watch)
    const now = Date.now()
    const longest = source.readyState === EventSource.OPEN ? longestOpen : longestSilence
    const isDead = now - since > longest || Math.abs(now - looked) > longestSilence
    looked = now
    if (isDead) tell()
  }, between)
}
