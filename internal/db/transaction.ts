import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Tx, Value } from './db.ts'
import { textOfStatement } from './statement.ts'

/** An open transaction: takes statements until its end, and keeps the work to do after its commit. */
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

  /** Called when the work is done: no more statements are accepted. */
  end(): void {
    this.#open = false
  }

  /** Called after the commit is durable: runs the `afterCommit` callbacks. */
  committed(): void {
    for (const work of this.#callbacks) work()
  }

  /** The brand has no value; only the type tells a `Tx` from a `Db`. */
  asTx(): Tx {
    return this as unknown as Tx
  }

  /** Must be called before each statement. */
  protected refuseLate(sql: TemplateStringsArray): void {
    if (!this.#open)
      throw new Error(`The transaction is over, so this came too late: ${textOfStatement(sql)}`)
  }
}

/** Tracks whether the caller is inside a transaction, where only its `tx` may be used. */
export class Inside {
  readonly #inside = new AsyncLocalStorage<Transaction>()

  /** Runs a transaction's work; afterwards the transaction takes no more statements. */
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
   * Throws inside a transaction: a statement outside `tx` would not see the transaction's writes, and on a server
   * would wait for another connection.
   */
  refuseStatement(sql: TemplateStringsArray): void {
    if (this.#isInside())
      throw new Error(
        `Inside a transaction only its tx is asked; hand it to: ${textOfStatement(sql)}`,
      )
  }

  /** Must be called before waiting for all transactions to end. */
  refuseWait(): void {
    if (this.#isInside()) throw new Error('Inside a transaction this would wait for its end.')
  }

  #isInside(): boolean {
    return this.#inside.getStore()?.open ?? false
  }
}
