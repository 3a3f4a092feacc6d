import { setTimeout as pause } from 'node:timers/promises'

// Milliseconds: long, since the machine may be busy.
const longest = 30_000

/**
 * Asks until the answer is neither undefined nor false. Throws after a while, saying what did not come, with the cause.
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | false | undefined>,
): Promise<Answer> {
  const end = performance.now() + longest
  for (;;) {
    const asked = await ask().then(
      (answer) => ({ answer, error: undefined }),
      (error: unknown) => ({ answer: undefined, error }),
    )
    if (asked.answer !== undefined && asked.answer !== false) return asked.answer
    if (performance.now() > end) throw new Error(`Not so: ${what}`, { cause: asked.error })
    await pause(50)
  }
}

/** Waits for an answer; throws when it takes too long, as the driver of a browser may hang. */
export async function inTime<Answer>(what: string, answer: Promise<Answer>): Promise<Answer> {
  const stop = new AbortController()
  const late = pause(longest, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`No answer: ${what}`)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    stop.abort()
    late.catch(() => {})
  }
}
