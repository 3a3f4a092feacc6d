import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { errorCode } from '../../internal/base/error-code.ts'

/** Standard output, and the reason to report when log lines were dropped. */
interface LogOutput {
  readonly stream: Writable
  /** Returns why lines were dropped so far. */
  readonly whyLost: () => string
}

/** Returns where the log goes. */
export function logOutput(): LogOutput {
  const { fd } = process.stdout
  return fstatSync(fd).isFile()
    ? toFile(fd)
    : { stream: process.stdout, whyLost: () => 'nobody read it' }
}

// Milliseconds between attempts to write.
const patience = 1000

/**
 * Writes to a file. What it does not accept, because its disk is full or fails, is retried until it does: Node's own
 * stream would lose it, along with the rest of a partly written line.
 */
function toFile(descriptor: number): LogOutput {
  let refused = ''
  const stream = new Writable({
    write(chunk: Buffer, _, callback) {
      let written = 0
      const writeOn = () => {
        try {
          while (written < chunk.length) written += writeSync(descriptor, chunk, written)
          callback()
        } catch (error) {
          refused = errorCode(error) || String(error)
          setTimeout(writeOn, patience).unref()
        }
      }
      writeOn()
    },
  })
  return { stream, whyLost: () => why(refused) }
}

function why(code: string): string {
  return /^(ENOSPC|EDQUOT)$/.test(code) ? 'its disk was full' : `it could not be written (${code})`
}
