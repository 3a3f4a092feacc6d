// Milliseconds: most migrations are done by then.
const longWait = 10_000

/** Waits for what another process may have for long, and tells so, once, where it does. */
export async function waitedFor<Result>(asked: Promise<Result>, tell: () => void): Promise<Result> {
  const timer = setTimeout(tell, longWait)
  try {
    return await asked
  } finally {
    clearTimeout(timer)
  }
}
