import { errorCode } from '../../../../internal/base/error-code.ts'

/** Runs work that prints, and returns its exit code. Throws afterwards if the output could not be written. */
export async function runPrinting(work: () => Promise<number>): Promise<number> {
  let outputError: Error | undefined
  process.stdout.on('error', (error) => (outputError ??= error))
  const exitCode = await work()
  // The callback runs, with or without an error, once all earlier output is written or lost.
  await new Promise((resolve) => process.stdout.write('', resolve))
  throwIfUnwritten('What it prints', outputError)
  return exitCode
}

/**
 * Throws if standard output failed, as on a full disk. EPIPE is not a failure: a reader that closes early, such as
 * `head`, has seen enough.
 */
export function throwIfUnwritten(subject: string, outputError: Error | undefined): void {
  if (outputError && errorCode(outputError) !== 'EPIPE')
    throw new Error(`${subject} could not be written: ${outputError.message}.`, {
      cause: outputError,
    })
}
