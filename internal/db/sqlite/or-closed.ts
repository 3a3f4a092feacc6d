/** Returns what `work` returns; where it throws, closes what was opened. */
export function orClosed<Result>(opened: { close(): unknown }, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    opened.close()
    throw error
  }
}
