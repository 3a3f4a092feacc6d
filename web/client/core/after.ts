/** Resolves after so many milliseconds. */
export function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Something that a page can do without: undefined when it cannot be loaded, or stalls for three seconds. */
export function unlessStalled<Result>(loading: Promise<Result>): Promise<Result | undefined> {
  return Promise.race([loading.catch(() => undefined), after(3_000)])
}

/** Resolves with nothing once what the signal is for is given up. */
export function givenUp(signal: AbortSignal): Promise<readonly []> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve([])))
}
