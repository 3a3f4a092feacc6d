import type { Value } from '../db.ts'
import type { Answer } from '../server/answer.ts'
import { ServerTransaction } from '../server/transaction.ts'
import type { Connection } from './connection.ts'
import { endsTransaction } from './errors.ts'
import { asked } from './statements.ts'

export class MysqlTransaction extends ServerTransaction {
  readonly #connection: Connection
  #ended: unknown

  constructor(connection: Connection) {
    super()
    this.#connection = connection
  }

  protected begin(): Promise<unknown> {
    return this.#connection.script('START TRANSACTION')
  }

  protected async ask(sql: TemplateStringsArray, values: readonly Value[]): Promise<Answer> {
    // Once the server has rolled it back, each statement would be a transaction of its own.
    if (this.#ended !== undefined) throw this.#ended
    try {
      return await asked(this.#connection, sql, values)
    } catch (error) {
      if (endsTransaction(error)) this.#ended = error
      throw error
    }
  }

  protected async commitIt(): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended
    await this.#connection.script('COMMIT')
  }

  /** A connection that is lost has rolled it back by itself. */
  protected async rollItBack(): Promise<void> {
    if (!this.#connection.lost.aborted) await this.#connection.script('ROLLBACK')
  }
}
