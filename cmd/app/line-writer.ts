import type { Writable } from 'node:stream'

export interface LineWriter {
  readonly write: (line: string) => void
  /** Writes what waits. */
  readonly flush: () => void
  /** Writes what waits, and resolves once it is read, or after so many milliseconds. */
  readonly end: (longest: number) => Promise<void>
}

// Characters that wait for somebody to read them: some thousands of lines.
const mostWaiting = 1024 * 1024

/**
 * Gathers the lines of one turn of the event loop into one write: a write for each costs more than its request. What
 * nobody reads is lost in the end; `lost` is told how many lines were, once it is read again.
 */
export function lineWriter(stream: Writable, lost: (lines: number) => void): LineWriter {
  let waiting = ''
  let lostLines = 0
  // The service outlives whoever reads its log.
  stream.on('error', () => {})
  stream.on('drain', () => {
    const lines = lostLines
    lostLines = 0
    if (lines > 0) lost(lines)
  })
  const flush = () => {
    if (waiting !== '') stream.write(waiting)
    waiting = ''
  }
  return {
    write(line) {
      if (waiting.length + stream.writableLength > mostWaiting) {
        lostLines += 1
        return
      }
      if (waiting === '') setImmediate(flush)
      waiting += line
    },
    flush,
    end(longest) {
      flush()
      return new Promise((resolve) => {
        const late = setTimeout(resolve, longest)
        stream.write('', () => {
          clearTimeout(late)
          resolve()
        })
      })
    },
  }
}
