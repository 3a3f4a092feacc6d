import type { Value } from '../db.ts'
import { Transaction } from '../transaction.ts'
import type { Answer } from './answer.ts'

/** A transaction under way, which has a connection to itself. It begins with its first statement. */
export abstract class ServerTransaction extends Transaction {
  #begun: Promise<unknown> | undefined

  protected abstract begin(): Promise<unknown>
  protected abstract ask(sql: TemplateStringsArray, values: readonly Value[]): Promise<Answer>
  /** Throws when it was rolled back, because a statement of it failed and that was not told. */
  protected abstract commitIt(): Promise<void>
  protected abstract rollItBack(): Promise<void>

  async first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined> {
    return (await this.#ask(sql, values))[0] as Row | undefined
  }

  async all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]> {
    return Array.from(await this.#ask(sql, values)) as Row[]
  }

  async run(sql: TemplateStringsArray, ...values: Value[]): Promise<number> {
    return (await this.#ask(sql, values)).count
  }

  async commit(): Promise<void> {
    if (this.#begun) await this.commitIt()
  }

  async rollBack(): Promise<void> {
    if (this.#begun) await this.rollItBack()
  }

  async #ask(sql: TemplateStringsArray, values: readonly Value[]): Promise<Answer> {
    this.refuseLate(sql)
    // Sent together with the statement.
    this.#begun ??= this.#begin()
    const answer = await this.ask(sql, values)
    await this.#begun
    return answer
  }

  #begin(): Promise<unknown> {
    const begun = this.begin()
    // Whoever asks first is told.
    begun.catch(() => {})
    return begun
  }
}
