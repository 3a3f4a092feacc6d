import { DatabaseBusy } from '../db.ts'

interface SemaphoreOptions {
  /** The most pieces of work at once. */
  readonly most: number
  /** Milliseconds to wait for a turn. */
  readonly wait: number
}

/** Limits how much work runs at once; the rest waits in order of arrival. */
export class Semaphore {
  readonly #wait: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor({ most, wait }: SemaphoreOptions) {
    this.#free = most
    this.#wait = wait
  }

  /** Runs `work` when its turn comes. Throws `DatabaseBusy` if it does not come in time. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await this.#acquire()
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #acquire(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const late = () => {
      this.#waiting.delete(resolve)
      reject(new DatabaseBusy('No turn to write to the database came in time.'))
    }
    const timer = setTimeout(late, this.#wait)
    return promise.finally(() => clearTimeout(timer))
  }

  #release(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
