import { openReader } from '../connection.ts'
import { Statements, type Prepared } from './rows.ts'
import { ReadTransactions } from './read-transactions.ts'

/** The connection for reads. `reopen` replaces it, for instance after the log that it has open was deleted. */
export class Reading {
  readonly #path: string
  #statements: Statements
  #transactions: ReadTransactions
  #isRefused = false

  constructor(path: string) {
    this.#path = path
    const connection = openReader(path)
    this.#statements = new Statements(connection)
    this.#transactions = new ReadTransactions(connection)
  }

  /** Whether reads are refused until `reopen`. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Returns the prepared statement, which may run here only if it `reads`. */
  of(sql: TemplateStringsArray): Prepared {
    const prepared = this.#statements.of(sql)
    if (prepared.reads) this.#transactions.beforeRead()
    return prepared
  }

  /** Makes later reads see earlier writes. */
  renew(): void {
    this.#transactions.renew()
  }

  refuse(): void {
    this.#isRefused = true
  }

  reopen(): void {
    this.close()
    const connection = openReader(this.#path)
    this.#statements = new Statements(connection)
    this.#transactions = new ReadTransactions(connection)
    this.#isRefused = false
  }

  close(): void {
    this.#statements.connection.close()
  }
}
