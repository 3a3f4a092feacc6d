import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

/** Standard output, and why lines that are written to it are lost in the end. */
interface LogOutput {
  readonly stream: Writable
  readonly whyLost: string
}

/** Where the log goes. */
export function logOutput(): LogOutput {
  const { fd } = process.stdout
  return fstatSync(fd).isFile()
    ? { stream: toFile(fd), whyLost: 'its disk was full' }
    : { stream: process.stdout, whyLost: 'nobody read it' }
}

// Milliseconds.
const patience = 1000

/**
 * What a full disk does not take waits until it does: Node's own stream loses it, and of a line that was taken in part the
 * rest.
 */
function toFile(descriptor: number): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      let written = 0
      const writeOn = () => {
        try {
          while (written < chunk.length) written += writeSync(descriptor, chunk, written)
          done()
        } catch {
          setTimeout(writeOn, patience).unref()
        }
      }
      writeOn()
    },
  })
}
