import type { Writable } from 'node:stream'

export interface LineWriter {
  readonly write: (line: string) => void
  /** Writes what waits. */
  readonly flush: () => void
}

/** Gathers the lines of one turn of the event loop into one write: a write for each costs more than its request. */
export function lineWriter(stream: Writable): LineWriter {
  let waiting = ''
  // The service outlives whoever reads its log.
  stream.on('error', () => {})
  const flush = () => {
    if (waiting !== '') stream.write(waiting)
    waiting = ''
  }
  return {
    write(line) {
      if (waiting === '') setImmediate(flush)
      waiting += line
    },
    flush,
  }
}
