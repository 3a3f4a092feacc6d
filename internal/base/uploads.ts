import { setImmediate as nextTurn } from 'node:timers/promises'

/** Limits the photos received at once: each takes as much memory as the largest photo allowed. */
export interface Uploads {
  /**
   * Reserves a place for a photo of this user, and returns a function that frees it; undefined if too many
   * are coming, in all, from the user or from the address, as throttles count it.
   */
  enter(userId: number, address: string): (() => void) | undefined
  /** Runs blocking work in order, one piece per turn of the event loop: others are served in between. */
  inTurn<Result>(work: () => Result): Promise<Result>
}

// More than one: a person whose connection broke tries again before the server notices.
const mostOfUser = 4
// Accounts cost nothing: whoever makes many must not take all the places.
const mostOfAddress = 8
// This many photos, beside all else that runs, fit into the memory that README.md asks for.
const mostInAll = 32

export function makeUploads(): Uploads {
  const slots = new Set<{ readonly userId: number; readonly address: string }>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    enter(userId, address) {
      const ofUser = [...slots].filter((other) => other.userId === userId).length
      const ofAddress = [...slots].filter((other) => other.address === address).length
      if (slots.size >= mostInAll || ofUser >= mostOfUser || ofAddress >= mostOfAddress)
        return undefined
      const slot = { userId, address }
      slots.add(slot)
      return () => void slots.delete(slot)
    },
    inTurn(work) {
      const run = last.then(() => nextTurn()).then(work)
      // Without the result: it may be a whole photo, which would stay in memory until the next.
      last = Promise.allSettled([run]).then(() => undefined)
      return run
    },
  }
}
