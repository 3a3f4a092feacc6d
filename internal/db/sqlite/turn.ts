import { performance } from 'node:perf_hooks'
import type { Connection, Statement } from './connection.ts'

// Fake timers of tests put another `performance` in its place, and have none of this.
const { nodeTiming } = performance

/**
 * The reads of one turn of the event loop. From the second on they are one transaction, and see one moment of the file:
 * SQLite then asks for its locks and looks at its log once for all of them. A read by itself takes ten times as long.
 *
 * A turn begins as the loop looks at what has come in. What comes in may tell of what another process has committed: the
 * request of somebody whom that one has answered.
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
    // Counted just before it looks. What `setImmediate` calls comes after: too late for what was read after a commit.
    const { loopCount } = nodeTiming.uvMetricsInfo
    if (loopCount !== this.#turn) this.renew()
    this.#turn = loopCount
    this.#reads += 1
    if (this.#reads === 1) setImmediate(this.#over)
    else if (this.#reads === 2) this.#begin.run()
  }

  /** What is read from now on sees what was written before: called ahead of each commit of this process. */
  renew(): void {
    // SQLite ends it by itself when a disk fails.
    if (this.#connection.inTransaction) this.#commit.run()
    if (this.#reads > 1) this.#reads = 1
  }

  readonly #over = (): void => {
    this.renew()
    this.#reads = 0
  }
}
