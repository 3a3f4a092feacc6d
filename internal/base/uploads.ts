import { setImmediate as nextTurn } from 'node:timers/promises'

/** Limits the photos that this process receives at once: each takes as much memory as the largest photo allowed. */
export interface Uploads {
  /**
   * Takes a place for a photo of this user, and returns what frees it; undefined: too many come, in all or of the user.
   */
  enter(userId: number): (() => void) | undefined
  /** Runs work that blocks the event loop: in order, and one piece a turn, so that others are served in between. */
  inTurn<Result>(work: () => Result): Promise<Result>
}

// More than one: a person whose connection broke tries again before the server knows that it broke.
const mostOfUser = 4
// So many photos, beside all else that runs, fit into the memory that README.md asks for.
const mostInAll = 32

export function makeUploads(): Uploads {
  const places = new Map<symbol, number>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    enter(userId) {
      const ofUser = [...places.values()].filter((other) => other === userId).length
      if (places.size >= mostInAll || ofUser >= mostOfUser) return undefined
      const place = Symbol('place')
      places.set(place, userId)
      return () => void places.delete(place)
    },
    inTurn(work) {
      const run = last.then(() => nextTurn()).then(work)
      // Without the result of the work: it may be a whole photo, which would stay in memory until the next.
      last = Promise.allSettled([run]).then(() => undefined)
      return run
    },
  }
}
