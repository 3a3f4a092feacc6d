import { nextTick } from 'node:process'
import type { Answer } from '../../server/answer.ts'
import type { Statement } from './client.ts'
import type { Connection } from '../connection.ts'
import { endsTransaction } from './errors.ts'

interface PendingStatement {
  readonly statement: Statement
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

// Characters: even escaped, they stay below a megabyte, which may be the server's limit for a message.
const mostTogether = 100_000

const beginning: Statement = { text: 'START TRANSACTION', values: [] }

/**
 * Sends a transaction's statements in the order in which they are issued. Those issued at once are sent together, in
 * one round trip.
 */
export class Together {
  readonly #connection: Connection
  #pending: PendingStatement[] = []
  #isUnderWay = false
  #failure: unknown

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Must be called before any statement. */
  begin(): Promise<Answer> {
    this.#askBeside(this.#connection.silence.short)
    return this.ask(beginning)
  }

  /** Must be called after all statements. */
  commit(): Promise<Answer> {
    const committed = this.ask({ text: 'COMMIT', values: [] })
    this.#askBeside(this.#connection.silence.long)
    return committed
  }

  /** Runs a statement. Once the transaction has ended, rejects with the reason. */
  ask(statement: Statement): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ statement, resolve, reject })
      if (this.#isUnderWay) return
      this.#isUnderWay = true
      // By the next tick all statements issued at once are queued, and are sent together.
      nextTick(() => void this.#send())
    })
  }

  /** Sends no more statements: each is rejected with `reason`. */
  end(reason: unknown): void {
    this.#failure ??= reason
  }

  /** Runs a statement whose answer is not needed: it fails only with the connection, which is reported elsewhere. */
  #askBeside(statement: Statement): void {
    this.ask(statement).catch(() => {})
  }

  async #send(): Promise<void> {
    while (this.#pending.length > 0) {
      // After a rollback, or if no transaction began, each statement would be a transaction of its own.
      if (this.#failure !== undefined) this.#refuseAll(this.#failure)
      else await this.#sendOnce()
    }
    this.#isUnderWay = false
  }

  async #sendOnce(): Promise<void> {
    const batch = this.#next()
    const { answers, error } = await this.#connection.askTogether(
      batch.map(({ statement }) => statement),
    )
    for (const [at, answer] of answers.entries()) batch[at]?.resolve(answer)
    const failed = batch[answers.length]
    if (!failed) return
    if (failed.statement === beginning || endsTransaction(error)) this.end(error)
    // The server did not run those after the failed one: they are sent next.
    this.#pending.unshift(...batch.slice(answers.length + 1))
    failed.reject(error)
  }

  /**
   * Returns the statements to send next: some writes, and one more of any kind. Only the last may return rows:
   * otherwise it would be unclear whether it failed while its rows arrived, or the next one at once. A large statement
   * is sent alone.
   */
  #next(): PendingStatement[] {
    let length = 0
    const end = this.#pending.findIndex(({ statement }, at) => {
      length += lengthOf(statement)
      return at > 0 && (length > mostTogether || !writes(this.#pending[at - 1]?.statement))
    })
    return this.#pending.splice(0, end === -1 ? this.#pending.length : end)
  }

  #refuseAll(reason: unknown): void {
    for (const { reject } of this.#pending.splice(0)) reject(reason)
  }
}

function writes(statement: Statement | undefined): boolean {
  return /^\s*(?:SET|START|COMMIT|INSERT|UPDATE|DELETE)\b/i.test(statement?.text ?? '')
}

/** Returns the approximate length of a statement with its values in its text. */
function lengthOf({ text, values }: Statement): number {
  return values.reduce<number>((sum, value) => sum + lengthOfValue(value), text.length)
}

function lengthOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length
  return value instanceof Uint8Array ? 2 * value.length : 30
}
