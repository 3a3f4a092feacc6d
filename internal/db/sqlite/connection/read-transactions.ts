import { performance } from 'node:perf_hooks'
import type { Connection, Statement } from '../connection.ts'

// Taken at load: the fake timers of tests replace `performance` with an object that lacks it.
const { nodeTiming } = performance

/**
 * Groups the reads of one turn of the event loop: from the second read on they are one transaction and see one moment
 * of the file, so that SQLite takes its locks and checks its log once for all of them. A read by itself takes ten
 * times as long.
 *
 * A turn begins when the loop polls for input. Input may depend on what another process has committed, such as the
 * next request of somebody whom that process has answered: so a new turn must read anew.
 */
export class ReadTransactions {
  readonly #connection: Connection
  readonly #begin: Statement
  readonly #commit: Statement
  #reads = 0
  #loopCount = 0

  constructor(reader: Connection) {
    this.#connection = reader
    this.#begin = reader.prepare('BEGIN')
    this.#commit = reader.prepare('COMMIT')
  }

  /** Must be called before each read. */
  beforeRead(): void {
    // The loop increments the count just before polling. A `setImmediate` callback runs after polling, too late for
    // reads that follow a commit.
    const { loopCount } = nodeTiming.uvMetricsInfo
    if (loopCount !== this.#loopCount) this.renew()
    this.#loopCount = loopCount
    this.#reads += 1
    if (this.#reads === 1) setImmediate(this.#over)
    else if (this.#reads === 2) this.#begin.run()
  }

  /** Makes later reads see earlier writes; called before each commit of this process. */
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
