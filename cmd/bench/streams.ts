import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#db/driver'
import { get } from './load.ts'
import { startFilled } from './pages.ts'
import type { Programs, RunningProgram } from './programs.ts'
import { residentBytes } from './rest.ts'
import { median, p99, type Row, threeDigits } from './table.ts'

/** How many streams are open at once, ten per user. */
const counts = [2_000, 10_000]
const streamsPerUser = 10
// How many streams are opened in parallel.
const openedAtOnce = 50
const eventCount = 100

/**
 * Compares the memory of an open event stream with one of Node's own server, and measures how soon an event arrives.
 */
export async function streams(programs: Programs): Promise<readonly Row[]> {
  if (!existsSync('/proc/self/status')) return []
  const rows: Row[] = []
  for (const count of counts) {
    const bare = await programs.bareStreams()
    const bareBytes = await memoryPerStream(bare, count, () => '')
    const { app, cookies, database } = await startFilled(programs, 1_000, count / streamsPerUser)
    const sockets: Socket[] = []
    const appBytes = await memoryPerStream(
      app,
      count,
      (n) => cookies[Math.floor(n / streamsPerUser)] ?? '',
      sockets,
    )
    rows.push(memoryRow(count, appBytes, bareBytes))
    rows.push(await eventDelayRow(count, database, sockets[0]))
    for (const socket of sockets) socket.destroy()
    await app.stop()
  }
  return rows
}

/** Returns the bytes that each of `count` open streams adds to a program. */
async function memoryPerStream(
  { pid, port }: RunningProgram,
  count: number,
  cookie: (n: number) => string,
  keptSockets?: Socket[],
): Promise<number> {
  // The first streams are not counted: a program allocates some memory only once.
  const warmUpSockets = await openStreams(port, 100, cookie)
  for (const socket of warmUpSockets) socket.destroy()
  await pause(1000)
  const before = residentBytes(pid)
  const sockets = await openStreams(port, count, cookie)
  await pause(2000)
  const bytes = (residentBytes(pid) - before) / count
  if (keptSockets) keptSockets.push(...sockets)
  else for (const socket of sockets) socket.destroy()
  return bytes
}

async function openStreams(
  port: number,
  count: number,
  cookie: (n: number) => string,
): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let n = 0; n < count; n += openedAtOnce) {
    const batch = Array.from({ length: Math.min(openedAtOnce, count - n) }, (_, i) =>
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

function memoryRow(count: number, bytes: number, bareBytes: number): Row {
  const kilobytes = bytes / 1000
  return {
    title: `memory of an event stream, ${count.toLocaleString('en')} open`,
    aim: `≤ 21 kB ${kilobytes <= 21 ? ' ' : '✗'}`,
    figures: `${(bytes / bareBytes).toFixed(2)}  ${threeDigits(kilobytes)} kB, bare node:http ${threeDigits(bareBytes / 1000)} kB`,
  }
}

/** Returns the milliseconds from a commit in this process, not the server's, until an open page gets the event. */
async function eventDelayRow(
  count: number,
  database: string,
  socket: Socket | undefined,
): Promise<Row> {
  if (!socket) throw new Error('No stream is open.')
  const db = await openDatabase({ file: database })
  const delays: number[] = []
  for (let event = 0; event < eventCount; event++) {
    const arrival = once(socket, 'data')
    await db.run`
      INSERT INTO broadcasts (channel, event, created_at) VALUES ('users.1', 'notification', ${new Date()})`
    const committed = performance.now()
    await arrival
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
