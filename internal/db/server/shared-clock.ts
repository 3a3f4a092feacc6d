// Milliseconds. A machine whose clock is that near to the server's keeps to its own.
const near = 1000

/** The server's clock, by which those on machines whose own clocks are apart count together. */
export class SharedClock {
  #ahead = 0

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  /** Sets it by what the server says, which is as wrong at most as half of the time that it takes to say it. */
  async set(ask: () => Promise<Date>): Promise<void> {
    const asked = performance.now()
    const at = await ask()
    const took = performance.now() - asked
    const ahead = at.getTime() + took / 2 - Date.now()
    this.#ahead = Math.abs(ahead) < near + took / 2 ? 0 : Math.round(ahead)
  }
}
