import { p99 } from '../bench/table.ts'
import { openConnection } from './tools/connection.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, maximum, ms } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { requestPages } from './tools/request-pages.ts'
import { type Server, start } from './tools/servers.ts'

const slowHeads = 500
const slowBodies = 300
const longestHead = 10_000
const longestBody = 30_000
// The server checks for slow clients only now and then, and needs a moment for so many.
const tolerance = 1500
// Milliseconds that a page may take meanwhile.
const longestPage = 500

/** Clients that send a byte at a time: five hundred of them their headers, three hundred their body. */
export async function slow({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 1 : 3
  const { folder } = await createFilledDatabase(1)
  const server = await start({ folder })
  const heads: ClosedConnection[] = []
  const bodies: ClosedConnection[] = []
  const pages: number[] = []
  for (let round = 0; round < rounds; round++) {
    let isDone = false
    const clients = Promise.all([
      sendAllSlowly(server, { head: '', times: slowHeads }),
      sendAllSlowly(server, { head: bodyHead, times: slowBodies }),
    ]).finally(() => (isDone = true))
    const pageRequests = requestPages(server, () => isDone)
    const [[headResults, bodyResults], pageDurations] = await Promise.all([clients, pageRequests])
    heads.push(...headResults)
    bodies.push(...bodyResults)
    pages.push(...pageDurations)
  }
  const { code } = await server.stop()
  const [head, body] = [longestDuration(heads), longestDuration(bodies)]
  return [
    {
      fault: `${slowHeads} clients slow with the headers and ${slowBodies} with the body, ${rounds} times`,
      promise: `the service stays available (pages p99 within ${ms(longestPage)}), they are closed within 10 s and 30 s (and ${ms(tolerance)} until it is looked)`,
      figures:
        `${count(pages.length)} pages answered 200, p99 ${ms(p99(pages))}, the slowest ${ms(maximum(pages))}; ` +
        `${heads.length} closed within ${ms(head)}, ${countTimedOut(heads)} of them with 408; ` +
        `${bodies.length} within ${ms(body)}, ${countTimedOut(bodies)} with 408; exit ${code} at the end`,
      isKept:
        p99(pages) <= longestPage &&
        head <= longestHead + tolerance &&
        body <= longestBody + tolerance &&
        code === 0,
    },
  ]
}

interface SlowClients {
  /** Sent in one piece. */
  readonly head: string
  readonly times: number
}

interface ClosedConnection {
  readonly duration: number
  readonly hasTimeoutAnswer: boolean
}

const bodyHead = [
  'POST /login HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Length: 5000',
  '',
  '',
].join('\r\n')

function sendAllSlowly(server: Server, { head, times }: SlowClients): Promise<ClosedConnection[]> {
  return Promise.all(Array.from({ length: times }, () => sendSlowly(server, head)))
}

/** Sends a byte twice a second until the connection is closed. */
async function sendSlowly({ port }: Server, head: string): Promise<ClosedConnection> {
  const repeatedBytes =
    head === '' ? `GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${'a'.repeat(1000)}` : 'a'
  const { socket, closed, text } = await openConnection(port)
  const began = performance.now()
  socket.write(head)
  let sent = 0
  const timer = setInterval(() => {
    if (socket.writable) socket.write(repeatedBytes[sent++ % repeatedBytes.length] ?? '')
  }, 500)
  await closed
  clearInterval(timer)
  return {
    duration: performance.now() - began,
    hasTimeoutAnswer: text().startsWith('HTTP/1.1 408'),
  }
}

function longestDuration(closed: readonly ClosedConnection[]): number {
  return maximum(closed.map(({ duration }) => duration))
}

function countTimedOut(closed: readonly ClosedConnection[]): number {
  return closed.filter(({ hasTimeoutAnswer }) => hasTimeoutAnswer).length
}
