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
    return this.ask(beginning)
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

  /** One that reads ends them: else it is not known whether it failed as its rows came, or the next at once. */
  #next(): Asking[] {
    const reading = this.#asked.findIndex(({ statement }) => bringsRows(statement))
    return this.#asked.splice(0, reading === -1 ? this.#asked.length : reading + 1)
  }

  #refuseAll(reason: unknown): void {
    for (const { reject } of this.#asked.splice(0)) reject(reason)
  }
}

function bringsRows({ text }: Statement): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(text)
}
