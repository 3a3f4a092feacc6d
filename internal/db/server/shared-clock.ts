// Milliseconds. A machine whose clock is that near to the server's keeps to its own.
const near = 1000

/**
 * The clock of the database server, so that processes whose machines' clocks differ have one time. Between two settings
 * it goes by `performance.now()`: a change of the machine's clock ends nobody's login.
 */
export class SharedClock {
  /** Milliseconds that this clock is ahead of `performance.now()`. */
  #ahead = machineAhead()
  /** Milliseconds that the machine's clock was ahead of `performance.now()` when this clock was set. */
  #machine = this.#ahead

  now(): Date {
    return new Date(Math.round(performance.now() + this.#ahead))
  }

  /** Whether this clock has to be set anew: the machine's own was changed since, or the machine was asleep. */
  get isDoubtful(): boolean {
    return Math.abs(machineAhead() - this.#machine) > near
  }

  /** Sets this clock by the server's answer, which is wrong by at most half of the time that it takes. */
  async set(ask: () => Promise<Date>): Promise<void> {
    const askedAt = performance.now()
    const at = await ask()
    const answeredAt = performance.now()
    this.#machine = machineAhead()
    const server = at.getTime() - (askedAt + answeredAt) / 2
    const isNear = Math.abs(server - this.#machine) < near + (answeredAt - askedAt) / 2
    this.#ahead = isNear ? this.#machine : server
  }
}

function machineAhead(): number {
  return Date.now() - performance.now()
}
