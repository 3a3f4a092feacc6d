/** Thrown when too many passwords wait to be hashed. The answer is a 503 with Retry-After. */
export class HashesBusy extends Error {
  override readonly name = 'HashesBusy'
  /** After how many seconds to try again. */
  readonly seconds = 1

  constructor() {
    super('Too many passwords wait to be hashed.')
  }
}

/** Runs work in turns, first come, first served. */
interface HashQueue {
  /** Throws HashesBusy if too much work waits, in all or for this address. */
  run<Result>(address: string, work: () => Promise<Result>): Promise<Result>
}

const waitingOfAnAddress = 4
const waitingInAll = 32

/** Makes a queue that runs `atOnce` pieces of work at once. Security rule 12 limits how many may wait. */
export function makeHashQueue(atOnce: number): HashQueue {
  const waiting: { address: string; start: () => void }[] = []
  let running = 0
  return {
    run: async (address, work) => {
      if (running < atOnce) running++
      else await wait(address)
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        // The turn passes straight to the next in the queue, so that no newcomer takes it.
        if (next) next.start()
        else running--
      }
    },
  }

  function wait(address: string): Promise<void> {
    const ofAddress = waiting.filter((other) => other.address === address).length
    if (waiting.length >= waitingInAll || ofAddress >= waitingOfAnAddress) throw new HashesBusy()
    return new Promise((start) => waiting.push({ address, start }))
  }
}
