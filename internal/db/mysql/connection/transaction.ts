import type { Value } from '../../db.ts'
import type { Answer } from '../../server/answer.ts'
import { ServerTransaction } from '../../server/transaction.ts'
import type { Connection } from '../connection.ts'
import { statementOf } from '../statements.ts'
import { Together } from './together.ts'

export class MysqlTransaction extends ServerTransaction {
  readonly #connection: Connection
  readonly #statements: Together

  constructor(connection: Connection) {
    super(connection)
    this.#connection = connection
    this.#statements = new Together(connection)
  }

  protected begin(): Promise<unknown> {
    return this.#statements.begin()
  }

  protected async ask<Row>(
    sql: TemplateStringsArray,
    values: readonly Value[],
  ): Promise<Answer<Row>> {
    return this.#statements.ask(statementOf(sql, values)) as Promise<Answer<Row>>
  }

  protected async commitIt(): Promise<void> {
    await this.#statements.commit()
  }

  protected async rollItBack(): Promise<void> {
    this.#statements.end(new Error('The transaction was rolled back.'))
    const { error } = await this.#connection.askTogether([
      { text: 'ROLLBACK', values: [] },
      this.#connection.silence.long,
    ])
    if (error !== undefined) throw error
  }
}
