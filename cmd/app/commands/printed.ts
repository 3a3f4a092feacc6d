import { errorCode } from '../../../internal/base/error-code.ts'

/** Does work that prints, and returns its exit code. Throws, once the work is done, if it could not be printed. */
export async function printed(work: () => Promise<number>): Promise<number> {
  let failure: Error | undefined
  process.stdout.on('error', (error) => (failure ??= error))
  const exitCode = await work()
  // The callback comes, with an error or without, once all that was printed before is written or lost.
  await new Promise((resolve) => process.stdout.write('', resolve))
  throwUnwritten('What it prints', failure)
  return exitCode
}

/**
 * Throws if standard output failed, as on a full disk. A reader who leaves early, as `head` does, has seen enough:
 * EPIPE is no fault.
 */
export function throwUnwritten(subject: string, failure: Error | undefined): void {
  if (failure && errorCode(failure) !== 'EPIPE')
    throw new Error(`${subject} could not be written: ${failure.message}.`, { cause: failure })
}
