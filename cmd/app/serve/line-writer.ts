import type { Writable } from 'node:stream'

export interface LineWriter {
  readonly write: (line: string) => void
  /** Writes the buffered lines. */
  readonly flush: () => void
  /** Writes the buffered lines; resolves once the stream has accepted them, or after `longest` milliseconds. */
  readonly end: (longest: number) => Promise<void>
}

// Characters buffered until they are read: some thousands of lines.
const mostBuffered = 1024 * 1024

/**
 * Combines the lines of one turn of the event loop into one write: a write per line costs more than its request. While
 * nobody reads the stream, lines beyond `mostBuffered` are dropped; once it is read again, `onDropped` is called with
 * their number.
 */
export function lineWriter(stream: Writable, onDropped: (lines: number) => void): LineWriter {
  let buffer = ''
  let droppedLines = 0
  // Without a listener, the service would end when the program reading its log ends.
  stream.on('error', () => {})
  stream.on('drain', () => {
    const lines = droppedLines
    droppedLines = 0
    if (lines > 0) onDropped(lines)
  })
  const flush = () => {
    if (buffer !== '') stream.write(buffer)
    buffer = ''
  }
  return {
    write(line) {
      if (buffer.length + stream.writableLength > mostBuffered) {
        droppedLines += 1
        return
      }
      if (buffer === '') setImmediate(flush)
      buffer += line
    },
    flush,
    end(longest) {
      flush()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, longest)
        stream.write('', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}
