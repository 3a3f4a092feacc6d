/** How the server that is being developed stands. */
export interface Standing {
  /** Names the build; another one is another name. */
  readonly build: string
  /** Where the newest server that works listens. */
  readonly port?: number
  /** Why the newest code does not run. */
  readonly fault?: string
}

/** Holds the standing, lets requests wait while it changes, and tells the pages. */
export class Stage {
  #standing: Standing = { build: '' }
  #settled = Promise.withResolvers<void>()
  #isSettled = false
  readonly #listeners = new Set<(standing: Standing) => void>()

  /** From here until `settle` requests wait. */
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

  /** Tells the standing now and at each change, until the returned function is called. */
  follow(tell: (standing: Standing) => void): () => void {
    if (this.#standing.build) tell(this.#standing)
    this.#listeners.add(tell)
    return () => this.#listeners.delete(tell)
  }
}
