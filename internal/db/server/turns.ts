import { DatabaseBusy } from '../db.ts'

interface TurnsOptions {
  /** The most pieces of work at once. */
  readonly most: number
  /** Milliseconds to wait for a turn. */
  readonly wait: number
}

/** Limits how much work runs at once; the rest waits in order of arrival. */
export class Turns {
  readonly #wait: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor({ most, wait }: TurnsOptions) {
    this.#free = most
    this.#wait = wait
  }

  /** Runs `work` when its turn comes. Throws `DatabaseBusy` if it does not come in time. */
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
