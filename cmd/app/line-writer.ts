import type { Writable } from 'node:stream'

export interface LineWriter {
  readonly write: (line: string) => void
  /** Writes the buffered lines. */
  readonly flush: () => void
  /** Writes the buffered lines; resolves once the stream has accepted them, or after `longest` milliseconds. */
  readonly end: (longest: number) => Promise<void>
}

// Characters buffered until they are read: some thousands of lines.
const mostWaiting = 1024 * 1024

/**
 * Combines the lines of one turn of the event loop into one write: a write per line costs more than its request. While
 * nobody reads the stream, lines beyond `mostWaiting` are dropped; once it is read again, `lost` is called with their
 * number.
 */
export function lineWriter(stream: Writable, lost: (lines: number) => void): LineWriter {
  let waiting = ''
  let lostLines = 0
  // Without a listener, the service would end when the program reading its log ends.
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
