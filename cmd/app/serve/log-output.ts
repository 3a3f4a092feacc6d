import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { errorCode } from '../../../internal/base/error-code.ts'

/** Standard output, and the reason to report when log lines were dropped. */
interface LogOutput {
  readonly stream: Writable
  /** Returns why lines were dropped so far. */
  readonly lossReason: () => string
}

/** Returns where the log goes. */
export function logOutput(): LogOutput {
  const { fd } = process.stdout
  return fstatSync(fd).isFile()
    ? fileOutput(fd)
    : { stream: process.stdout, lossReason: () => 'nobody read it' }
}

// Milliseconds between attempts to write.
const retryDelay = 1000

/**
 * Writes to a file. What it does not accept, because its disk is full or fails, is retried until it does: Node's own
 * stream would lose it, along with the rest of a partly written line.
 */
function fileOutput(descriptor: number): LogOutput {
  let lastError = ''
  const stream = new Writable({
    write(chunk: Buffer, _, callback) {
      let writtenBytes = 0
      const writeRest = () => {
        try {
          while (writtenBytes < chunk.length)
            writtenBytes += writeSync(descriptor, chunk, writtenBytes)
          callback()
        } catch (error) {
          lastError = errorCode(error) || String(error)
          setTimeout(writeRest, retryDelay).unref()
        }
      }
      writeRest()
    },
  })
  return { stream, lossReason: () => writeErrorReason(lastError) }
}

function writeErrorReason(code: string): string {
  return /^(ENOSPC|EDQUOT)$/.test(code) ? 'its disk was full' : `it could not be written (${code})`
}
