import type { Connection, Statement } from './connection.ts'

/**
 * The reads of one turn of the event loop. From the second on they are one transaction, and see one moment of the file:
 * SQLite then asks for its locks and looks at its log once for all of them. A read by itself takes ten times as long.
 */
export class Turn {
  readonly #connection: Connection
  readonly #begin: Statement
  readonly #commit: Statement
  #reads = 0

  constructor(reader: Connection) {
    this.#connection = reader
    this.#begin = reader.prepare('BEGIN')
    this.#commit = reader.prepare('COMMIT')
  }

  /** Called before each read. */
  read(): void {
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
