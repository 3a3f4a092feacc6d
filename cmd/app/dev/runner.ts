import { messageOf } from '../../../internal/base/error-message.ts'
import { EndedEarly, startChild, type Child } from './child.ts'
import type { Stage } from './server-state.ts'

/** Keeps a server of the newest working code running, until `stop` is called. */
export class Runner {
  readonly #stage: Stage
  readonly #build: () => Promise<string>
  #child: Child | undefined
  #work: Promise<void> | undefined
  #isRenewalDue = false

  /** `build` returns the path of the program to run. */
  constructor(stage: Stage, build: () => Promise<string>) {
    this.#stage = stage
    this.#build = build
  }

  /** Rebuilds and restarts. Calls during a rebuild cause one more afterwards. */
  renew(): Promise<void> {
    this.#isRenewalDue = true
    this.#work ??= this.#renewAll()
    return this.#work
  }

  async stop(): Promise<void> {
    await this.#child?.stop()
  }

  async #renewAll(): Promise<void> {
    while (this.#isRenewalDue) {
      this.#isRenewalDue = false
      await this.#renewOnce()
    }
    this.#work = undefined
  }

  async #renewOnce(): Promise<void> {
    this.#stage.unsettle()
    const previous = this.#child
    const build = new Date().toISOString()
    const start = performance.now()
    try {
      const child = await startChild(await this.#build())
      this.#child = child
      this.#stage.settle({ build, port: child.port })
      void child.ended.then((reason) => this.#ended(child, reason))
      void previous?.stop()
      console.log(`Ready after ${Math.round(performance.now() - start)} ms.`)
    } catch (error) {
      const fault = messageOf(error)
      if (!(error instanceof EndedEarly)) console.error(fault)
      this.#stage.settle({ build, port: previous?.port, fault })
    }
  }

  #ended(child: Child, reason: string): void {
    if (child !== this.#child) return
    this.#child = undefined
    this.#stage.settle({ build: new Date().toISOString(), fault: reason })
  }
}
