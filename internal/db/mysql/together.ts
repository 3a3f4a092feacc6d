import { nextTick } from 'node:process'
import type { Answer } from '../server/answer.ts'
import type { Statement } from './client.ts'
import type { Connection } from './connection.ts'
import { endsTransaction } from './errors.ts'

interface Asking {
  readonly statement: Statement
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

// Characters: written down as they are, or escaped, they are less than the megabyte that a server may take at once.
const mostTogether = 100_000

const beginning: Statement = { text: 'START TRANSACTION', values: [] }

/**
 * The statements of a transaction, in the order in which they are asked. Those that are asked at once go to the server at
 * once, so that one waits for it once.
 */
export class Together {
  readonly #connection: Connection
  #asked: Asking[] = []
  #isUnderWay = false
  #ended: unknown

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** To be asked first. */
  begin(): Promise<Answer> {
    this.#askBeside(this.#connection.silence.short)
    return this.ask(beginning)
  }

  /** To be asked last. */
  commit(): Promise<Answer> {
    const committed = this.ask({ text: 'COMMIT', values: [] })
    this.#askBeside(this.#connection.silence.long)
    return committed
  }

  /** Throws what ended the transaction, for each statement after that. */
  ask(statement: Statement): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ statement, resolve, reject })
      if (this.#isUnderWay) return
      this.#isUnderWay = true
      // Whoever asks at once has done so by then.
      nextTick(() => void this.#send())
    })
  }

  /** None is sent from now on. */
  end(reason: unknown): void {
    this.#ended ??= reason
  }

  /** Where it fails, so does what goes with it. */
  #askBeside(statement: Statement): void {
    this.ask(statement).catch(() => {})
  }

  async #send(): Promise<void> {
    while (this.#asked.length > 0) {
      // Once the server has rolled it back, or never began it, each statement would be a transaction of its own.
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
    // What came after it was not run.
    this.#asked.unshift(...sent.slice(answers.length + 1))
    failed.reject(error)
  }

  /**
   * Those that write, and one more: had another brought rows, it would not be known whether it failed as they came, or the
   * next at once. A large one goes alone.
   */
  #next(): Asking[] {
    let length = 0
    const end = this.#asked.findIndex(({ statement }, at) => {
      length += lengthOf(statement)
      return at > 0 && (length > mostTogether || !writes(this.#asked[at - 1]?.statement))
    })
    return this.#asked.splice(0, end === -1 ? this.#asked.length : end)
  }

  #refuseAll(reason: unknown): void {
    for (const { reject } of this.#asked.splice(0)) reject(reason)
  }
}

function writes(statement: Statement | undefined): boolean {
  return /^\s*(?:SET|START|COMMIT|INSERT|UPDATE|DELETE)\b/i.test(statement?.text ?? '')
}

/** About, as it is written down. */
function lengthOf({ text, values }: Statement): number {
  return values.reduce<number>((sum, value) => sum + lengthOfValue(value), text.length)
}

function lengthOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length
  return value instanceof Uint8Array ? 2 * value.length : 30
}
