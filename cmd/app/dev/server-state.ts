/** The state of the server that is being developed. */
export interface Standing {
  /** Differs for each build. */
  readonly build: string
  /** The port of the newest server that works. */
  readonly port?: number
  /** Why the newest code does not run. */
  readonly fault?: string
}

/** Holds the state of the server, lets requests wait while it is built and started, and tells open pages. */
export class Stage {
  #standing: Standing = { build: '' }
  #settled = Promise.withResolvers<void>()
  #isSettled = false
  readonly #listeners = new Set<(standing: Standing) => void>()

  /** From here on `standing` waits, and requests with it, until `settle` is called. */
  unsettle(): void {
    if (this.#isSettled) this.#settled = Promise.withResolvers()
    this.#isSettled = false
  }

  settle(standing: Standing): void {
    this.#standing = standing
    this.#isSettled = true
    this.#settled.resolve()
    for (const tell of this.#listeners) tell(standing)
  }

  async standing(): Promise<Standing> {
    await this.#settled.promise
    return this.#standing
  }

  /** Calls `tell` with the state now and at each change, until the returned function is called. */
  follow(tell: (standing: Standing) => void): () => void {
    if (this.#standing.build) tell(this.#standing)
    this.#listeners.add(tell)
    return () => this.#listeners.delete(tell)
  }
}
