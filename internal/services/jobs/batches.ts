// Small, so that no other write waits long for one of them.
const most = 500
// Milliseconds, of all steps together: less than a run may take.
const longest = 60_000

/**
 * Calls each step again and again until it has nothing left to delete, for a minute in all. Each step is called at
 * least once, so that a backlog of one does not hold up the others or what comes after. Returns whether nothing is
 * left.
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
