// Milliseconds. A machine whose clock is this close to the server's uses its own.
const near = 1000

/**
 * The database server's clock, so that all processes share one time although their machines' clocks differ. Between
 * two settings it advances with `performance.now()`: setting the machine's clock ends nobody's login.
 */
export class SharedClock {
  /** Milliseconds by which this clock is ahead of `performance.now()`. */
  #ahead = machineAhead()
  /** Milliseconds by which the machine's clock was ahead of `performance.now()` when this clock was set. */
  #machine = this.#ahead

  now(): Date {
    return new Date(Math.round(performance.now() + this.#ahead))
  }

  /** Whether this clock must be set again: the machine's clock was changed since, or the machine slept. */
  get isDoubtful(): boolean {
    return Math.abs(machineAhead() - this.#machine) > near
  }

  /** Sets this clock from the server's answer; the error is at most half of the round trip. */
  async set(ask: () => Promise<Date>): Promise<void> {
    // Read before the question: if the machine sleeps until the answer, this clock is doubtful.
    const [askedAt, machine] = [performance.now(), machineAhead()]
    const at = await ask()
    const answeredAt = performance.now()
    this.#machine = machine
    const server = at.getTime() - (askedAt + answeredAt) / 2
    const isNear = Math.abs(server - this.#machine) < near + (answeredAt - askedAt) / 2
    this.#ahead = isNear ? this.#machine : server
  }
}

function machineAhead(): number {
  return Date.now() - performance.now()
}
