import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { mailTo } from './mail-server.ts'
import { onCleanUp } from './cleanup.ts'

/** How a mail server fails. A healthy one is included for comparison. */
export type FailureMode =
  | 'none'
  | 'dead'
  | 'hanging'
  | 'hanging at the end'
  | 'slow'
  | '4xx'
  | '5xx'

export interface BadMailServer {
  /** The settings with which the service sends its mail here. */
  readonly settings: Readonly<Record<string, string>>
  /** The milliseconds that each closed connection was open. */
  readonly durations: readonly number[]
}

/** Speaks SMTP as far as its failure mode allows, until the fault is over. */
export async function startBadMailServer(failureMode: FailureMode): Promise<BadMailServer> {
  const durations: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const began = performance.now()
    sockets.add(socket)
    // A client that gives up closes the connection, which is no error here.
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      durations.push(performance.now() - began)
    })
    talkSmtp(socket, failureMode)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const settings = mailTo(server)
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  // Its port then refuses connections.
  if (failureMode === 'dead') close()
  else onCleanUp(close)
  return { settings, durations }
}

function talkSmtp(socket: Socket, failureMode: FailureMode): void {
  if (failureMode === 'hanging') return
  let isInContent = false
  let text = ''
  socket.write('220 mail\r\n')
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1')
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 2)
      if (isInContent && line !== '.') continue
      const answer = isInContent ? answerToContent(failureMode) : answerTo(line, failureMode)
      isInContent = answer.startsWith('354')
      if (answer === 'slow') answerEndlessly(socket)
      else if (answer !== '') socket.write(`${answer}\r\n`)
    }
  })
}

function answerTo(line: string, failureMode: FailureMode): string {
  const verb = line.slice(0, 4).toUpperCase()
  if (verb === 'DATA') return '354 go on'
  if (verb === 'RCPT' && failureMode === '4xx') return '450 the mailbox is busy'
  if (verb === 'RCPT' && failureMode === '5xx') return '550 there is no such mailbox'
  if (verb === 'MAIL' && failureMode === 'slow') return 'slow'
  return verb === 'QUIT' ? '221 bye' : '250 ok'
}

function answerToContent(failureMode: FailureMode): string {
  return failureMode === 'hanging at the end' ? '' : '250 kept'
}

/** Sends an answer of endless lines: the server is never silent, and never done. */
function answerEndlessly(socket: Socket): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write('250-a moment\r\n')
    else clearInterval(timer)
  }, 1000)
}
