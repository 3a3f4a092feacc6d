/** What `work` makes of what was opened, which is closed where that throws. */
export function orClosed<Result>(opened: { close(): unknown }, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    opened.close()
    throw error
  }
}
