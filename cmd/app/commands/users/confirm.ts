import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/**
 * Asks the person at the terminal; only `yes` counts as consent. Without a terminal, prints that --yes is needed.
 * Before returning false, it prints that nothing was done.
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
  const answer = await readLine({ input, output })
  if (answer?.trim().toLowerCase() === 'yes') return true
  // Starts a new line if the question was left with Ctrl-C or Ctrl-D.
  output.write(`${answer === undefined ? '\n' : ''}Nothing was done.\n`)
  return false
}

/** Reads a line; undefined after Ctrl-C or Ctrl-D, or if the terminal is gone. */
async function readLine({ input, output }: Terminal): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: false })
  const closed = once(lines, 'close').then(() => undefined)
  const firstLine = once(lines, 'line').then(([text]) => String(text))
  const answer = await Promise.race([firstLine, closed])
  lines.close()
  return answer
}
