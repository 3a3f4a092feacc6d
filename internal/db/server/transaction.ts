import type { Value } from '../db.ts'
import { Transaction } from '../transaction.ts'
import type { Answer } from './answer.ts'
import { orInDoubt } from './or-in-doubt.ts'
import type { Lendable } from './pool.ts'

/** An open transaction with a connection of its own. It begins with its first statement. */
export abstract class ServerTransaction extends Transaction {
  readonly #connection: Lendable
  #beginning: Promise<unknown> | undefined

  constructor(connection: Lendable) {
    super()
    this.#connection = connection
  }

  protected abstract begin(): Promise<unknown>
  protected abstract ask<Row>(
    sql: TemplateStringsArray,
    values: readonly Value[],
  ): Promise<Answer<Row>>
  /** Throws if the server rolled back instead: a statement had failed, and the work swallowed its error. */
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

  /** Throws `CommitInDoubt` if no answer arrives. */
  async commit(): Promise<void> {
    if (this.#beginning) await orInDoubt(this.#connection, () => this.commitIt())
  }

  /**
   * Does nothing on a lost connection, which rolls back by itself. If the rollback fails, closes the connection
   * instead.
   */
  async rollBack(): Promise<void> {
    if (!this.#beginning || this.#connection.lost.aborted) return
    try {
      await this.rollItBack()
    } catch {
      await this.#connection.end()
    }
  }

  async #ask<Row>(sql: TemplateStringsArray, values: readonly Value[]): Promise<Answer<Row>> {
    this.refuseLate(sql)
    // Sent together with the statement.
    this.#beginning ??= this.#begin()
    const answer = await this.ask<Row>(sql, values)
    await this.#beginning
    return answer
  }

  #begin(): Promise<unknown> {
    const beginning = this.begin()
    // The statements throw this error, so it is not unhandled.
    beginning.catch(() => {})
    return beginning
  }
}
