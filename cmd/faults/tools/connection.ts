import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onCleanUp } from './cleanup.ts'

/** A connection that sends raw bytes, and keeps what has arrived. */
export interface Connection {
  readonly socket: Socket
  readonly text: () => string
  /** Resolves when the other end has closed it, or it broke. */
  readonly closed: Promise<unknown>
  /** Resolves with the first line of what arrives next; empty if it closes before. */
  next(): Promise<string>
}

/** Opens a connection. Rejects if it is refused. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await once(socket, 'connect')
  onCleanUp(() => socket.destroy())
  let text = ''
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')))
  // A reset shows in what did not arrive.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const next = async () => {
    const from = text.length
    await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
    return text.slice(from).split('\r\n')[0] ?? ''
  }
  return { socket, text: () => text, closed, next }
}

/** Opens an event stream. */
export async function openStream(port: number, cookie: string): Promise<Connection> {
  const stream = await openConnection(port)
  const firstLine = stream.next()
  const head = ['GET /broadcasts HTTP/1.1', 'Host: localhost', `Cookie: ${cookie}`, '', '']
  stream.socket.write(head.join('\r\n'))
  const answer = await firstLine
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`A stream was answered: ${answer}`)
  return stream
}
