import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#db/driver'
import { get } from './load.ts'
import { filled } from './pages.ts'
import type { Programs, Running } from './programs.ts'
import { residentBytes } from './rest.ts'
import { median, p99, type Row, threeDigits } from './table.ts'

/** How many streams are open at once, ten per user. */
const counts = [2_000, 10_000]
const ofUser = 10
// How many streams are opened in parallel.
const atOnce = 50
const tells = 100

/**
 * Compares the memory of an open event stream with one of Node's own server, and measures how soon an event arrives.
 */
export async function streams(programs: Programs): Promise<readonly Row[]> {
  if (!existsSync('/proc/self/status')) return []
  const rows: Row[] = []
  for (const count of counts) {
    const bare = await programs.bareStreams()
    const without = await grown(bare, count, () => '')
    const { app, cookies, database } = await filled(programs, 1_000, count / ofUser)
    const sockets: Socket[] = []
    const within = await grown(app, count, (n) => cookies[Math.floor(n / ofUser)] ?? '', sockets)
    rows.push(memoryRow(count, within, without))
    rows.push(await soonness(count, database, sockets[0]))
    for (const socket of sockets) socket.destroy()
    await app.stop()
  }
  return rows
}

/** Returns the bytes that each of `count` open streams adds to a program. */
async function grown(
  { pid, port }: Running,
  count: number,
  cookie: (n: number) => string,
  kept?: Socket[],
): Promise<number> {
  // The first streams are not counted: a program allocates some memory only once.
  const warm = await opened(port, 100, cookie)
  for (const socket of warm) socket.destroy()
  await pause(1000)
  const before = residentBytes(pid)
  const sockets = await opened(port, count, cookie)
  await pause(2000)
  const bytes = (residentBytes(pid) - before) / count
  if (kept) kept.push(...sockets)
  else for (const socket of sockets) socket.destroy()
  return bytes
}

async function opened(
  port: number,
  count: number,
  cookie: (n: number) => string,
): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let n = 0; n < count; n += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - n) }, (_, i) =>
      openStream(port, cookie(n + i)),
    )
    sockets.push(...(await Promise.all(batch)))
  }
  return sockets
}

export async function openStream(port: number, cookie: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await once(socket, 'connect')
  socket.write(get('/broadcasts', { Accept: 'text/event-stream', Cookie: cookie }))
  const [head] = (await once(socket, 'data')) as [Buffer]
  if (!head.toString().startsWith('HTTP/1.1 200 '))
    throw new Error(`A stream was not opened: ${head.toString()}`)
  return socket
}

function memoryRow(count: number, of: number, to: number): Row {
  const kilobytes = of / 1000
  return {
    title: `memory of an event stream, ${count.toLocaleString('en')} open`,
    aim: `≤ 21 kB ${kilobytes <= 21 ? ' ' : '✗'}`,
    figures: `${(of / to).toFixed(2)}  ${threeDigits(kilobytes)} kB, bare node:http ${threeDigits(to / 1000)} kB`,
  }
}

/** Returns the milliseconds from a commit in this process, not the server's, until an open page gets the event. */
async function soonness(count: number, database: string, socket: Socket | undefined): Promise<Row> {
  if (!socket) throw new Error('No stream is open.')
  const db = await openDatabase({ file: database })
  const delays: number[] = []
  for (let tell = 0; tell < tells; tell++) {
    const eventCame = once(socket, 'data')
    await db.run`
      INSERT INTO broadcasts (channel, event, created_at) VALUES ('users.1', 'notification', ${new Date()})`
    const committed = performance.now()
    await eventCame
    delays.push(performance.now() - committed)
    // A random pause, so that commits fall at any time between two of the server's polls.
    await pause(Math.random() * 250)
  }
  await db.close()
  return {
    title: `an event of another process, ${count.toLocaleString('en')} open`,
    aim: '',
    figures: `median ${threeDigits(median(delays))} ms, p99 ${threeDigits(p99(delays))} ms after its commit`,
  }
}
