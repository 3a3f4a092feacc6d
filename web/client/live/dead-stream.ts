// Milliseconds. Of an answer that is not there by then, or of a computer that slept for so long, nothing is to be had.
const longestSilence = 60_000
// Longer than the server leaves a stream open: what is open still has ended, and the browser was never told.
const longestOpen = 16 * 60_000
const between = 5_000

/**
 * Tells of a stream of which nothing can come any more though the browser holds it for open, as after a change of networks.
 * It does not show the comments, by which a line that is quiet is told from a dead one.
 */
export function noticeDead(source: EventSource, tell: () => void): void {
  // By the time of day: on some systems no other clock goes on while the computer sleeps.
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
