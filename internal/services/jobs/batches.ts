// Small, so that no other write waits long for one batch.
const most = 500
// Milliseconds for all steps together: less than a run may take.
const longest = 60_000

/**
 * Repeats each step until it has nothing left to delete, for a minute in all. Each step runs at least once,
 * so that a backlog in one does not hold up the others or what follows. Returns whether nothing is left.
 */
export async function inBatches(
  steps: readonly ((most: number) => Promise<number>)[],
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + longest
  let isDone = true
  for (const deleteSome of steps) {
    let deleted: number
    do {
      signal.throwIfAborted()
      deleted = await deleteSome(most)
    } while (deleted >= most && performance.now() < until)
    if (deleted >= most) isDone = false
  }
  return isDone
}
