import { createInterface } from 'node:readline/promises'
import { errorCode } from '../../internal/base/error-code.ts'
import { Refusal } from '../build/command-line.ts'
import type { Ask } from './choices.ts'

/**
 * Asks a person questions at a terminal, until `close`. `ask` throws a Refusal if the input ends instead of an answer,
 * as by Ctrl-D or Ctrl-C.
 */
export function openTerminal(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): { ask: Ask; close(): void } {
  const terminal = createInterface({ input, output })
  const ended = new AbortController()
  terminal.once('close', () => ended.abort())
  return {
    async ask(question, suggested) {
      const { signal } = ended
      const answer = await terminal
        .question(`${question} (${suggested})? `, { signal })
        .catch((error: unknown) => {
          throw errorCode(error) === 'ABORT_ERR' ? new Refusal('Nothing was made.', 2) : error
        })
      return answer.trim() || suggested
    },
    close: () => terminal.close(),
  }
}
