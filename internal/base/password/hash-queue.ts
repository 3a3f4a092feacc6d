/** Too many wait for a hash. The answer is a 503 with Retry-After. */
export class HashesBusy extends Error {
  override readonly name = 'HashesBusy'
  /** After how many seconds to try again. */
  readonly seconds = 1

  constructor() {
    super('Too many passwords wait to be hashed.')
  }
}

/** Lets work run in turns, first come, first served. */
interface HashQueue {
  /** Throws HashesBusy when too many wait, in all or of this address. */
  run<Result>(address: string, work: () => Promise<Result>): Promise<Result>
}

const waitingOfAnAddress = 4
const waitingInAll = 32

/** `atOnce`: how much work runs at once; the limits of what waits are those of security rule 12. */
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
        // The turn is handed on, so that nobody who comes in between takes it.
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
