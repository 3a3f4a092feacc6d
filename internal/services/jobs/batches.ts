// Small, so that no other write waits long for one of them.
const most = 500
// Milliseconds, of all steps together: less than a run may take.
const longest = 60_000

/**
 * Deletes by one step after the other, by each again and again until there are none left, or for a minute in all: the
 * rest goes with the next prune. Each has its turn, so that no backlog of one holds up the others or what comes after.
 */
export async function inBatches(
  steps: readonly ((most: number) => Promise<number>)[],
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + longest
  for (const deleteSome of steps) {
    let deleted: number
    do {
      signal.throwIfAborted()
      deleted = await deleteSome(most)
    } while (deleted >= most && performance.now() < until)
  }
}
