import { setImmediate as nextTurn } from 'node:timers/promises'

/** The photos that come at once in this process, each of which takes as much memory as one may have. */
export interface Uploads {
  /** Takes a place for a photo of this user until `leave` is called; undefined when too many come, in all or of the user. */
  enter(userId: number): (() => void) | undefined
  /** Runs what holds up everybody else, first come, first served, each with a turn of the event loop to itself. */
  inTurn<Result>(work: () => Result): Promise<Result>
}

// A person whose line breaks off tries again before the server knows that it did.
const mostOfUser = 4
// With all else that runs beside them they fit into the memory that README.md asks for.
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
      // Without its result, which may be a whole photo.
      last = Promise.allSettled([run]).then(() => undefined)
      return run
    },
  }
}
