import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/**
 * Asks whoever sits at the terminal, and takes nothing but `yes` for yes. Where nobody sits it says what to do. False
 * says so too.
 */
export async function isSure(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (!input.isTTY) {
    output.write('Nothing was done: nobody is there to be asked. Add --yes if you are sure.\n')
    return false
  }
  output.write(`${question}\nType yes to go on: `)
  const answer = await line({ input, output })
  if (answer?.trim().toLowerCase() === 'yes') return true
  // Also below a question that was left with a key.
  output.write(`${answer === undefined ? '\n' : ''}Nothing was done.\n`)
  return false
}

/** undefined when the question was left: Ctrl-C, Ctrl-D, or the terminal is gone. */
async function line({ input, output }: Terminal): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: false })
  const left = once(lines, 'close').then(() => undefined)
  const answered = once(lines, 'line').then(([text]) => String(text))
  const answer = await Promise.race([answered, left])
  lines.close()
  return answer
}
