import { DatabaseBusy } from '../db.ts'

interface TurnsOptions {
  /** The most that is under way at once. */
  readonly most: number
  /** Milliseconds that somebody waits for a turn. */
  readonly wait: number
}

/** Limits how much work is under way at once; the rest waits for its turn, in the order in which it came. */
export class Turns {
  readonly #wait: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor({ most, wait }: TurnsOptions) {
    this.#free = most
    this.#wait = wait
  }

  /** Does the work once it is its turn. Throws `DatabaseBusy` when that does not come in time. */
  async with<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await this.#turn()
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #turn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const late = () => {
      this.#waiting.delete(resolve)
      reject(new DatabaseBusy('No turn to write to the database came in time.'))
    }
    const timer = setTimeout(late, this.#wait)
    return promise.finally(() => clearTimeout(timer))
  }

  #pass(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
