/** Runs the work, and closes what it opened even if the run is interrupted. */
export async function closing(
  close: () => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  const onSignal = () => void close().finally(() => process.exit(130))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    await work()
  } finally {
    await close()
  }
}
