import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Tx, Value } from './db.ts'
import { textOfStatement } from './statement.ts'

/** A transaction under way: until its end it takes statements, and keeps what is to run once it is committed. */
export abstract class Transaction implements Db {
  readonly #callbacks: (() => void)[] = []
  #open = true

  abstract first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined>
  abstract all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]>
  abstract run(sql: TemplateStringsArray, ...values: Value[]): Promise<number>

  get open(): boolean {
    return this.#open
  }

  afterCommit(work: () => void): void {
    if (!this.#open) throw new Error('The transaction is over, so afterCommit came too late.')
    this.#callbacks.push(work)
  }

  /** Called when the work is done: from here on the transaction takes no statement. */
  end(): void {
    this.#open = false
  }

  /** To be called once the transaction is on disk: runs what `afterCommit` was given. */
  committed(): void {
    for (const work of this.#callbacks) work()
  }

  /** The brand has no value: only the type tells a `Tx` from a `Db`. */
  asTx(): Tx {
    return this as unknown as Tx
  }

  /** To be called before each statement. */
  protected refuseLate(sql: TemplateStringsArray): void {
    if (!this.#open)
      throw new Error(`The transaction is over, so this came too late: ${textOfStatement(sql)}`)
  }
}

/** Knows whether the caller is inside a transaction of a database: there only its `tx` may be asked. */
export class Inside {
  readonly #inside = new AsyncLocalStorage<Transaction>()

  /** Does the work of a transaction, which takes no statement afterwards. */
  async run<Result>(transaction: Transaction, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    try {
      return await this.#inside.run(transaction, () => work(transaction.asTx()))
    } finally {
      transaction.end()
    }
  }

  refuseTransaction(): void {
    if (this.#isInside()) throw new Error('A transaction holds no other: hand its tx on.')
  }

  /**
   * A statement beside the `tx` does not see what the transaction wrote, and on a server waits for a connection of its
   * own.
   */
  refuseStatement(sql: TemplateStringsArray): void {
    if (this.#isInside())
      throw new Error(
        `Inside a transaction only its tx is asked; hand it to: ${textOfStatement(sql)}`,
      )
  }

  /** To be called by what waits until no transaction is under way. */
  refuseWait(): void {
    if (this.#isInside()) throw new Error('Inside a transaction this would wait for its end.')
  }

  #isInside(): boolean {
    return this.#inside.getStore()?.open ?? false
  }
}
