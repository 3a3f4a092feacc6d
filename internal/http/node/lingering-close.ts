import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

// Bytes to discard, and milliseconds this may take. A proxy sends the whole body before it reads the answer.
const mostBytes = 32 * 1024 * 1024
const longest = 10_000

/**
 * Closes the connection in stages after the last answer if the request's body is still arriving (RFC 9112, 9.6). An
 * immediate close causes a TCP reset, which may discard the answer: a proxy then answers 502 and may mark the server
 * as failed.
 */
export function lingerOver(request: IncomingMessage, socket: Socket | null): void {
  if (!socket) return
  const close = socket.destroySoon.bind(socket)
  // Node calls this after the last answer of a connection.
  socket.destroySoon = () => {
    if (request.complete) close()
    else endInStages(socket)
  }
}

/** Ends a connection after `last`, and discards what still arrives. */
export function endInStages(socket: Socket, last = ''): void {
  const timer = setTimeout(() => socket.destroy(), longest)
  socket.once('close', () => clearTimeout(timer))
  let remaining = mostBytes
  // Instead of the parser: this is no longer read as HTTP.
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    remaining -= chunk.length
    if (remaining < 0) socket.destroy()
  })
  socket.resume().end(last)
  // Node stops the socket while a refused request takes no more, and `resume` alone does not make it read again: it
  // waits for a read of before. An empty chunk ends that read.
  socket.push('')
}
