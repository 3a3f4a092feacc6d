/** The state of the server under development. */
export interface ServerState {
  /** Different for each build. */
  readonly build: string
  /** The port of the newest working server. */
  readonly port?: number
  /** Why the newest code does not run. */
  readonly fault?: string
}

/** Holds the server's state, makes requests wait while it is being built and started, and informs open pages. */
export class Stage {
  #state: ServerState = { build: '' }
  #settled = Promise.withResolvers<void>()
  #isSettled = false
  readonly #listeners = new Set<(state: ServerState) => void>()

  /** From here on `settledState`, and so each request, waits until `settle` is called. */
  unsettle(): void {
    if (this.#isSettled) this.#settled = Promise.withResolvers()
    this.#isSettled = false
  }

  settle(state: ServerState): void {
    this.#state = state
    this.#isSettled = true
    this.#settled.resolve()
    for (const listener of this.#listeners) listener(state)
  }

  async settledState(): Promise<ServerState> {
    await this.#settled.promise
    return this.#state
  }

  /** Calls `listener` with the current state and after each change, until the returned function is called. */
  subscribe(listener: (state: ServerState) => void): () => void {
    if (this.#state.build) listener(this.#state)
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
