/** Returns the result of `work`; if it throws, closes `resource`. */
export function orClosed<Result>(resource: { close(): unknown }, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    resource.close()
    throw error
  }
}
