import { performance } from 'node:perf_hooks'
import type { Connection, Statement } from './connection.ts'

// Taken now: fake timers of tests replace `performance` by one that lacks this.
const { nodeTiming } = performance

/**
 * The reads of one turn of the event loop. From the second on they are one transaction, and see one moment of the file:
 * SQLite then asks for its locks and looks at its log once for all of them. A read by itself takes ten times as long.
 *
 * A turn begins as the loop looks for input. Input may follow from what another process has committed, as the next
 * request of somebody whom that process has answered: a new turn has to read anew.
 */
export class Turn {
  readonly #connection: Connection
  readonly #begin: Statement
  readonly #commit: Statement
  #reads = 0
  #turn = 0

  constructor(reader: Connection) {
    this.#connection = reader
    this.#begin = reader.prepare('BEGIN')
    this.#commit = reader.prepare('COMMIT')
  }

  /** Called before each read. */
  read(): void {
    // The loop counts just before it looks for input. A callback of `setImmediate` runs after that, too late for what
    // was read after a commit.
    const { loopCount } = nodeTiming.uvMetricsInfo
    if (loopCount !== this.#turn) this.renew()
    this.#turn = loopCount
    this.#reads += 1
    if (this.#reads === 1) setImmediate(this.#over)
    else if (this.#reads === 2) this.#begin.run()
  }

  /** Has later reads see what was written before; called ahead of each commit of this process. */
  renew(): void {
    // SQLite ends the transaction by itself when a disk fails.
    if (this.#connection.inTransaction) this.#commit.run()
    if (this.#reads > 1) this.#reads = 1
  }

  readonly #over = (): void => {
    this.renew()
    this.#reads = 0
  }
}
