import { openReader } from './connection.ts'
import { Statements, type Prepared } from './rows.ts'
import { Turn } from './turn.ts'

/** The connection that is read from. Another one takes its place where the log that it has open is of no use any more. */
export class Reading {
  readonly #path: string
  #statements: Statements
  #turn: Turn
  #isRefused = false

  constructor(path: string) {
    this.#path = path
    const connection = openReader(path)
    this.#statements = new Statements(connection)
    this.#turn = new Turn(connection)
  }

  /** Nothing may be read, until it is opened again. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** To be read from, or to be told by it that it writes. */
  of(sql: TemplateStringsArray): Prepared {
    const prepared = this.#statements.of(sql)
    if (prepared.reads) this.#turn.read()
    return prepared
  }

  /** What is read from now on sees what was written before. */
  renew(): void {
    this.#turn.renew()
  }

  refuse(): void {
    this.#isRefused = true
  }

  reopen(): void {
    this.close()
    const connection = openReader(this.#path)
    this.#statements = new Statements(connection)
    this.#turn = new Turn(connection)
    this.#isRefused = false
  }

  close(): void {
    this.#statements.connection.close()
  }
}
