/** Runs the work, and closes what it opened even if the run is interrupted. */
export async function closing(
  close: () => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  const onSignal = () => void close().finally(() => process.exit(130))
  // Also a second one, which npm passes on besides the terminal's: it would end the process before it is done.
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  try {
    await work()
  } finally {
    await close()
  }
}
