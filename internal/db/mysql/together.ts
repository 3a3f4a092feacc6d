import { nextTick } from 'node:process'
import type { Answer } from '../server/answer.ts'
import type { Statement } from './client.ts'
import type { Connection } from './connection.ts'
import { endsTransaction } from './errors.ts'

interface PendingStatement {
  readonly statement: Statement
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

// Characters: even escaped they stay below the megabyte that a server may have as its limit for a message.
const mostTogether = 100_000

const beginning: Statement = { text: 'START TRANSACTION', values: [] }

/**
 * Sends the statements of a transaction in the order in which they are asked. Those that are asked at once are sent
 * together, so that the server is waited for once.
 */
export class Together {
  readonly #connection: Connection
  #pending: PendingStatement[] = []
  #isUnderWay = false
  #ended: unknown

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** To be called before any statement. */
  begin(): Promise<Answer> {
    this.#askBeside(this.#connection.silence.short)
    return this.ask(beginning)
  }

  /** To be called after all statements. */
  commit(): Promise<Answer> {
    const committed = this.ask({ text: 'COMMIT', values: [] })
    this.#askBeside(this.#connection.silence.long)
    return committed
  }

  /** Runs a statement. Once the transaction has ended, rejects with what ended it. */
  ask(statement: Statement): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ statement, resolve, reject })
      if (this.#isUnderWay) return
      this.#isUnderWay = true
      // By the next tick all statements that are asked at once have been asked, and are sent together.
      nextTick(() => void this.#send())
    })
  }

  /** Has no statement sent from now on: each is rejected with `reason`. */
  end(reason: unknown): void {
    this.#ended ??= reason
  }

  /** Runs a statement whose answer nobody needs: it fails only with the connection, and that is reported elsewhere. */
  #askBeside(statement: Statement): void {
    this.ask(statement).catch(() => {})
  }

  async #send(): Promise<void> {
    while (this.#pending.length > 0) {
      // After a rollback, or where no transaction began, each statement would be a transaction of its own.
      if (this.#ended !== undefined) this.#refuseAll(this.#ended)
      else await this.#sendOnce()
    }
    this.#isUnderWay = false
  }

  async #sendOnce(): Promise<void> {
    const sent = this.#next()
    const { answers, error } = await this.#connection.askTogether(
      sent.map(({ statement }) => statement),
    )
    for (const [at, answer] of answers.entries()) sent[at]?.resolve(answer)
    const failed = sent[answers.length]
    if (!failed) return
    if (failed.statement === beginning || endsTransaction(error)) this.end(error)
    // The server did not run those after the failed one: they are sent next.
    this.#pending.unshift(...sent.slice(answers.length + 1))
    failed.reject(error)
  }

  /**
   * The statements to send next: some that write, and one more of any kind. Only the last may bring rows: otherwise
   * nobody could tell whether it failed while its rows came, or the one after it at once. A large statement goes alone.
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

/** About how long a statement is with its values in its text. */
function lengthOf({ text, values }: Statement): number {
  return values.reduce<number>((sum, value) => sum + lengthOfValue(value), text.length)
}

function lengthOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length
  return value instanceof Uint8Array ? 2 * value.length : 30
}
