import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { mailTo } from './mail-server.ts'
import { whenOver } from './over.ts'

/** How a mail server fails. A healthy one is included for comparison. */
export type Badness = 'none' | 'dead' | 'hanging' | 'hanging at the end' | 'slow' | '4xx' | '5xx'

export interface BadMailServer {
  /** The settings with which the service sends its mail here. */
  readonly settings: Readonly<Record<string, string>>
  /** The milliseconds that each closed connection was open. */
  readonly took: readonly number[]
}

/** Speaks SMTP as far as its badness allows, until the fault is over. */
export async function startBadMailServer(badness: Badness): Promise<BadMailServer> {
  const took: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const began = performance.now()
    sockets.add(socket)
    // A client that gives up closes the connection, which is no error here.
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      took.push(performance.now() - began)
    })
    speak(socket, badness)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const settings = mailTo(server)
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  // Its port then refuses connections.
  if (badness === 'dead') close()
  else whenOver(close)
  return { settings, took }
}

function speak(socket: Socket, badness: Badness): void {
  if (badness === 'hanging') return
  let isInMail = false
  let text = ''
  socket.write('220 mail\r\n')
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1')
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 2)
      if (isInMail && line !== '.') continue
      const answer = isInMail ? atTheEnd(badness) : answerTo(line, badness)
      isInMail = answer.startsWith('354')
      if (answer === 'slow') dribble(socket)
      else if (answer !== '') socket.write(`${answer}\r\n`)
    }
  })
}

function answerTo(line: string, badness: Badness): string {
  const verb = line.slice(0, 4).toUpperCase()
  if (verb === 'DATA') return '354 go on'
  if (verb === 'RCPT' && badness === '4xx') return '450 the mailbox is busy'
  if (verb === 'RCPT' && badness === '5xx') return '550 there is no such mailbox'
  if (verb === 'MAIL' && badness === 'slow') return 'slow'
  return verb === 'QUIT' ? '221 bye' : '250 ok'
}

function atTheEnd(badness: Badness): string {
  return badness === 'hanging at the end' ? '' : '250 kept'
}

/** Sends an answer of endless lines: the server is never silent, and never done. */
function dribble(socket: Socket): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write('250-a moment\r\n')
    else clearInterval(timer)
  }, 1000)
}
