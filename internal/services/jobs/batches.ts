// Small, so that no other write waits long for one of them.
const most = 500

/** Deletes some again and again until there are none left, or for a minute: the rest goes with the next prune. */
export async function inBatches(
  deleteSome: (most: number) => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + 60_000
  while (performance.now() < until) {
    signal.throwIfAborted()
    if ((await deleteSome(most)) < most) return
  }
}
