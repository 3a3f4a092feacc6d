import type { Value } from '../../db.ts'
import type { Answer } from '../../server/answer.ts'
import { ServerTransaction } from '../../server/transaction.ts'
import type { Connection } from '../connection.ts'
import { runStatement } from '../statements.ts'

export class PostgresTransaction extends ServerTransaction {
  readonly #connection: Connection
  #failed: unknown

  constructor(connection: Connection) {
    super(connection)
    this.#connection = connection
  }

  protected begin(): Promise<unknown> {
    return this.#connection.begin()
  }

  protected async ask<Row>(
    sql: TemplateStringsArray,
    values: readonly Value[],
  ): Promise<Answer<Row>> {
    try {
      return await runStatement(this.#connection, sql, values)
    } catch (error) {
      this.#failed ??= error
      throw error
    }
  }

  protected async commitIt(): Promise<void> {
    const { command } = await this.#connection.ask('COMMIT')
    if (command !== 'COMMIT')
      throw this.#failed ?? new Error('The database rolled the transaction back.')
  }

  protected async rollItBack(): Promise<void> {
    await this.#connection.ask('ROLLBACK')
  }
}
