import { errorCode } from '../../../internal/base/error-code.ts'

/** Does work that prints, and returns its exit code. What could not be written is thrown once the work is done. */
export async function printed(work: () => Promise<number>): Promise<number> {
  let failure: Error | undefined
  process.stdout.on('error', (error) => (failure ??= error))
  const exitCode = await work()
  // Called, with an error or without, once all before it is written or lost.
  await new Promise((resolve) => process.stdout.write('', resolve))
  throwUnwritten('What it prints', failure)
  return exitCode
}

/**
 * Throws what stdout failed with, if it did. A reader who leaves early, as `head` does, has seen enough: that is no
 * fault. A disk that is full is one.
 */
export function throwUnwritten(what: string, failure: Error | undefined): void {
  if (failure && errorCode(failure) !== 'EPIPE')
    throw new Error(`${what} could not be written: ${failure.message}.`, { cause: failure })
}
