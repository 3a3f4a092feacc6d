import { p99 } from '../bench/table.ts'
import { openConnection } from './tools/connection.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, most, ms } from './tools/figures.ts'
import { filled } from './tools/filled.ts'
import { askOn } from './tools/pages-meanwhile.ts'
import { type Server, start } from './tools/servers.ts'

const slowHeads = 500
const slowBodies = 300
const longestHead = 10_000
const longestBody = 30_000
// The server checks for slow clients only now and then, and needs a moment for so many.
const slack = 1500
// Milliseconds that a page may take meanwhile.
const longestPage = 500

/** Clients that send a byte at a time: five hundred of them their headers, three hundred their body. */
export async function slow({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 1 : 3
  const { folder } = await filled(1)
  const server = await start({ folder })
  const heads: Closed[] = []
  const bodies: Closed[] = []
  const pages: number[] = []
  for (let round = 0; round < rounds; round++) {
    let isOver = false
    const dribbling = Promise.all([
      dribbleAll(server, { head: '', times: slowHeads }),
      dribbleAll(server, { head: bodyHead, times: slowBodies }),
    ]).finally(() => (isOver = true))
    const asking = askOn(server, () => isOver)
    const [[ofHeads, ofBodies], took] = await Promise.all([dribbling, asking])
    heads.push(...ofHeads)
    bodies.push(...ofBodies)
    pages.push(...took)
  }
  const { code } = await server.stop()
  const [head, body] = [longest(heads), longest(bodies)]
  return [
    {
      fault: `${slowHeads} clients slow with the headers and ${slowBodies} with the body, ${rounds} times`,
      promise: `the service stays available (pages p99 within ${ms(longestPage)}), they are closed within 10 s and 30 s (and ${ms(slack)} until it is looked)`,
      measured:
        `${count(pages.length)} pages answered 200, p99 ${ms(p99(pages))}, the slowest ${ms(most(pages))}; ` +
        `${heads.length} closed within ${ms(head)}, ${countTimedOut(heads)} of them with 408; ` +
        `${bodies.length} within ${ms(body)}, ${countTimedOut(bodies)} with 408; exit ${code} at the end`,
      isKept:
        p99(pages) <= longestPage &&
        head <= longestHead + slack &&
        body <= longestBody + slack &&
        code === 0,
    },
  ]
}

interface Slow {
  /** Sent in one piece. */
  readonly head: string
  readonly times: number
}

interface Closed {
  readonly took: number
  readonly wasTold: boolean
}

const bodyHead = [
  'POST /login HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Length: 5000',
  '',
  '',
].join('\r\n')

function dribbleAll(server: Server, { head, times }: Slow): Promise<Closed[]> {
  return Promise.all(Array.from({ length: times }, () => dribble(server, head)))
}

/** Sends a byte twice a second until the connection is closed. */
async function dribble({ port }: Server, head: string): Promise<Closed> {
  const rest =
    head === '' ? `GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${'a'.repeat(1000)}` : 'a'
  const { socket, closed, text } = await openConnection(port)
  const began = performance.now()
  socket.write(head)
  let sent = 0
  const sending = setInterval(() => {
    if (socket.writable) socket.write(rest[sent++ % rest.length] ?? '')
  }, 500)
  await closed
  clearInterval(sending)
  return { took: performance.now() - began, wasTold: text().startsWith('HTTP/1.1 408') }
}

function longest(closed: readonly Closed[]): number {
  return most(closed.map(({ took }) => took))
}

function countTimedOut(closed: readonly Closed[]): number {
  return closed.filter(({ wasTold }) => wasTold).length
}
