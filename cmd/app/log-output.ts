import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { errorCode } from '../../internal/base/error-code.ts'

/** Standard output, and why lines that are written to it are lost in the end. */
interface LogOutput {
  readonly stream: Writable
  /** Of those that were lost by now. */
  readonly whyLost: () => string
}

/** Where the log goes. */
export function logOutput(): LogOutput {
  const { fd } = process.stdout
  return fstatSync(fd).isFile()
    ? toFile(fd)
    : { stream: process.stdout, whyLost: () => 'nobody read it' }
}

// Milliseconds.
const patience = 1000

/**
 * What a file does not take, its disk being full or failing, waits until it does: Node's own stream loses it, and of a line
 * that was taken in part the rest.
 */
function toFile(descriptor: number): LogOutput {
  let refused = ''
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      let written = 0
      const writeOn = () => {
        try {
          while (written < chunk.length) written += writeSync(descriptor, chunk, written)
          done()
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
