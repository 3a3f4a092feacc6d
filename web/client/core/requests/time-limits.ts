/** Resolves after the given number of milliseconds. */
export function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Resolves with an optional module; undefined if it fails to load or takes longer than three seconds. */
export function unlessStalled<Result>(loading: Promise<Result>): Promise<Result | undefined> {
  return Promise.race([loading.catch(() => undefined), after(3_000)])
}

/** Resolves with an empty list once the signal is aborted. */
export function givenUp(signal: AbortSignal): Promise<readonly []> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve([])))
}
