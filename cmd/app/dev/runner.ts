import { EndedEarly, startChild, type Child } from './child.ts'
import type { Stage } from './server-state.ts'

/** Keeps a server of the newest working code running, until `stop` is called. */
export class Runner {
  readonly #stage: Stage
  readonly #build: () => Promise<string>
  #child: Child | undefined
  #work: Promise<void> | undefined
  #isAskedAgain = false

  /** `build` returns the path of the program to run. */
  constructor(stage: Stage, build: () => Promise<string>) {
    this.#stage = stage
    this.#build = build
  }

  /** Rebuilds and restarts. Calls during a rebuild cause one more afterwards. */
  renew(): Promise<void> {
    this.#isAskedAgain = true
    this.#work ??= this.#renewAll()
    return this.#work
  }

  async stop(): Promise<void> {
    await this.#child?.stop()
  }

  async #renewAll(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false
      await this.#renewOnce()
    }
    this.#work = undefined
  }

  async #renewOnce(): Promise<void> {
    this.#stage.unsettle()
    const before = this.#child
    const build = new Date().toISOString()
    const start = performance.now()
    try {
      const child = await startChild(await this.#build())
      this.#child = child
      this.#stage.settle({ build, port: child.port })
      void child.ended.then((why) => this.#ended(child, why))
      void before?.stop()
      console.log(`Ready after ${Math.round(performance.now() - start)} ms.`)
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error)
      if (!(error instanceof EndedEarly)) console.error(fault)
      this.#stage.settle({ build, port: before?.port, fault })
    }
  }

  #ended(child: Child, why: string): void {
    if (child !== this.#child) return
    this.#child = undefined
    this.#stage.settle({ build: new Date().toISOString(), fault: why })
  }
}
