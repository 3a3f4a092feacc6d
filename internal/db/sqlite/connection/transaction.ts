import type { Value } from '../../db.ts'
import { textOfStatement } from '../../statement.ts'
import { Transaction } from '../../transaction.ts'
import type { Prepared, Statements } from './rows.ts'

/** An open transaction on the writing connection. */
export class SqliteTransaction extends Transaction {
  readonly #statements: Statements

  constructor(statements: Statements) {
    super()
    this.#statements = statements
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

  #statement(sql: TemplateStringsArray): Prepared {
    this.refuseLate(sql)
    // SQLite rolls back by itself when a disk fails or is full: nothing may then run outside a transaction.
    if (!this.#statements.connection.inTransaction)
      throw new Error(`The transaction was rolled back before: ${textOfStatement(sql)}`)
    return this.#statements.of(sql)
  }
}
