import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/**
 * Asks the person at the terminal; only `yes` counts. Without a terminal, prints that --yes is needed. Where it returns
 * false it has printed that nothing was done.
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
  // A new line first if the question was left by Ctrl-C or Ctrl-D.
  output.write(`${answer === undefined ? '\n' : ''}Nothing was done.\n`)
  return false
}

/** Reads a line; undefined when there is none: Ctrl-C, Ctrl-D, or the terminal is gone. */
async function line({ input, output }: Terminal): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: false })
  const closed = once(lines, 'close').then(() => undefined)
  const firstLine = once(lines, 'line').then(([text]) => String(text))
  const answer = await Promise.race([firstLine, closed])
  lines.close()
  return answer
}
