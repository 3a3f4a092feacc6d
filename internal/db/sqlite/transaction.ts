import type { Db, Tx, Value } from '../db.ts'
import { textOfStatement, type Prepared, type Statements } from './rows.ts'

/** A transaction under way on the writing connection. */
export class Transaction implements Db {
  readonly #statements: Statements
  readonly #callbacks: (() => void)[] = []
  #open = true

  constructor(statements: Statements) {
    this.#statements = statements
  }

  get open(): boolean {
    return this.#open
  }

  async first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined> {
    return this.#statement(sql).first(values) as Row | undefined
  }

  async all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]> {
    return this.#statement(sql).all(values) as Row[]
  }

  async run(sql: TemplateStringsArray, ...values: Value[]): Promise<number> {
    return this.#statement(sql).run(values)
  }

  afterCommit(work: () => void): void {
    if (!this.#open) throw new Error('The transaction is over, so afterCommit came too late.')
    this.#callbacks.push(work)
  }

  /** Its work is done: from here on it takes no statement. */
  end(): void {
    this.#open = false
  }

  /** To be called once it is on disk. */
  committed(): void {
    for (const work of this.#callbacks) work()
  }

  /** The brand has no value: only the type tells a `Tx` from a `Db`. */
  asTx(): Tx {
    return this as unknown as Tx
  }

  #statement(sql: TemplateStringsArray): Prepared {
    if (!this.#open)
      throw new Error(`The transaction is over, so this came too late: ${textOfStatement(sql)}`)
    // SQLite rolls back by itself when a disk fails or is full: nothing may then run outside a transaction.
    if (!this.#statements.connection.inTransaction)
      throw new Error(`The transaction was rolled back before: ${textOfStatement(sql)}`)
    return this.#statements.of(sql)
  }
}
