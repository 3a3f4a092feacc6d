import { setTimeout as pause } from 'node:timers/promises'

// Milliseconds, for a machine that does much else.
const longest = 30_000

/** Asks again and again until the answer is neither undefined nor false. Throws what it waited for, with the last error. */
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

/** The answer, unless it takes too long: what drives a browser may hang with it. */
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
