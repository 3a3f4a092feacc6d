import { errorCode } from '../../../internal/base/error-code.ts'

/** Runs work that prints, and returns its exit code. Throws afterwards if the output could not be written. */
export async function printed(work: () => Promise<number>): Promise<number> {
  let failure: Error | undefined
  process.stdout.on('error', (error) => (failure ??= error))
  const exitCode = await work()
  // The callback runs, with or without an error, once all earlier output is written or lost.
  await new Promise((resolve) => process.stdout.write('', resolve))
  throwUnwritten('What it prints', failure)
  return exitCode
}

/**
 * Throws if standard output failed, as on a full disk. EPIPE is not a failure: a reader that closes early, such as
 * `head`, has seen enough.
 */
export function throwUnwritten(subject: string, failure: Error | undefined): void {
  if (failure && errorCode(failure) !== 'EPIPE')
    throw new Error(`${subject} could not be written: ${failure.message}.`, { cause: failure })
}
