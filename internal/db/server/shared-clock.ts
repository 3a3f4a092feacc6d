// Milliseconds. A machine whose clock is that near to the server's keeps to its own.
const near = 1000

/**
 * The server's clock, by which those on machines whose own clocks are apart count together. In between it goes on as the
 * processor counts: a machine whose clock is set meanwhile ends nobody's login.
 */
export class SharedClock {
  /** What each is ahead of `performance.now()`, in milliseconds: this clock, and that of the machine as this one was set. */
  #ahead = machineAhead()
  #machine = this.#ahead

  now(): Date {
    return new Date(Math.round(performance.now() + this.#ahead))
  }

  /** Whether the machine's clock was set since, or all of it stood still, as one that is put to sleep: it is to be set anew. */
  get isDoubtful(): boolean {
    return Math.abs(machineAhead() - this.#machine) > near
  }

  /** Sets it by what the server says, which is as wrong at most as half of the time that it takes to say it. */
  async set(ask: () => Promise<Date>): Promise<void> {
    const asked = performance.now()
    const at = await ask()
    const told = performance.now()
    this.#machine = machineAhead()
    const server = at.getTime() - (asked + told) / 2
    const isNear = Math.abs(server - this.#machine) < near + (told - asked) / 2
    this.#ahead = isNear ? this.#machine : server
  }
}

function machineAhead(): number {
  return Date.now() - performance.now()
}
