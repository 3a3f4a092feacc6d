import type { Value } from '../db.ts'
import { Transaction } from '../transaction.ts'
import type { Answer } from './answer.ts'
import { orInDoubt } from './or-in-doubt.ts'
import type { Lendable } from './pool.ts'

/** A transaction under way, which has a connection to itself. It begins with its first statement. */
export abstract class ServerTransaction extends Transaction {
  readonly #connection: Lendable
  #begun: Promise<unknown> | undefined

  constructor(connection: Lendable) {
    super()
    this.#connection = connection
  }

  protected abstract begin(): Promise<unknown>
  protected abstract ask<Row>(
    sql: TemplateStringsArray,
    values: readonly Value[],
  ): Promise<Answer<Row>>
  /** Throws when the server rolled back instead: a statement had failed, and the work did not throw its error. */
  protected abstract commitIt(): Promise<void>
  protected abstract rollItBack(): Promise<void>

  async first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined> {
    return (await this.#ask<Row>(sql, values))[0]
  }

  async all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]> {
    return Array.from(await this.#ask<Row>(sql, values))
  }

  async run(sql: TemplateStringsArray, ...values: Value[]): Promise<number> {
    return (await this.#ask(sql, values)).count
  }

  /** Throws `CommitInDoubt` where no answer comes. */
  async commit(): Promise<void> {
    if (this.#begun) await orInDoubt(this.#connection, () => this.commitIt())
  }

  /** Does nothing on a lost connection, whose end rolls back. If the rollback fails, closes the connection instead. */
  async rollBack(): Promise<void> {
    if (!this.#begun || this.#connection.lost.aborted) return
    try {
      await this.rollItBack()
    } catch {
      await this.#connection.end()
    }
  }

  async #ask<Row>(sql: TemplateStringsArray, values: readonly Value[]): Promise<Answer<Row>> {
    this.refuseLate(sql)
    // Sent together with the statement.
    this.#begun ??= this.#begin()
    const answer = await this.ask<Row>(sql, values)
    await this.#begun
    return answer
  }

  #begin(): Promise<unknown> {
    const begun = this.begin()
    // The statements throw this error: it is not one that nobody handles.
    begun.catch(() => {})
    return begun
  }
}
