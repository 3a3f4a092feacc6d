import { setTimeout as pause } from 'node:timers/promises'

// Milliseconds: long, since the machine may be busy.
const longest = 30_000

/**
 * Calls `probe` until its answer is neither undefined nor false. Throws after a while, naming the missing event, with
 * the cause.
 */
export async function until<Answer>(
  event: string,
  probe: () => Promise<Answer | false | undefined>,
): Promise<Answer> {
  const end = performance.now() + longest
  for (;;) {
    const outcome = await probe().then(
      (answer) => ({ answer, error: undefined }),
      (error: unknown) => ({ answer: undefined, error }),
    )
    if (outcome.answer !== undefined && outcome.answer !== false) return outcome.answer
    if (performance.now() > end) throw new Error(`Not so: ${event}`, { cause: outcome.error })
    await pause(50)
  }
}

/** Waits for an answer; throws if it takes too long, since a browser's driver may hang. */
export async function withTimeout<Answer>(event: string, answer: Promise<Answer>): Promise<Answer> {
  const stop = new AbortController()
  const timeout = pause(longest, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`No answer: ${event}`)
  })
  try {
    return await Promise.race([answer, timeout])
  } finally {
    stop.abort()
    timeout.catch(() => {})
  }
}
