/** Returns the result of `work`; if it throws, closes `opened`. */
export function orClosed<Result>(opened: { close(): unknown }, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    opened.close()
    throw error
  }
}
