// Milliseconds that connecting or a computer's sleep may take; after that the stream counts as dead.
const longestSilence = 60_000
// Longer than the server keeps a stream open: one still open has ended without the browser noticing.
const longestOpen = 16 * 60_000
const between = 5_000

/**
 * Calls `tell` once a stream is dead although the browser takes it for open, as after a change of networks.
 * Detected by time alone: scripts do not see the comments that the server sends as heartbeats.
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
