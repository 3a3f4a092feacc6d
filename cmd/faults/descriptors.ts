import { mustBe, Visitor } from './tools/client.ts'
import { openConnection } from './tools/connection.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { most, ms } from './tools/figures.ts'
import { type Server, start } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'
import { until } from './tools/until.ts'

const limit = 128
const crowd = 3 * limit
const longestAgain = 2000
const email = 'ann@example.com'

/** Opens more connections than the process may have files open, and requests pages meanwhile and afterwards. */
export async function descriptors({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 2 : 10
  const through = [need('prlimit'), `--nofile=${limit}:${limit}`]
  const server = await start({ through })
  const known = new Visitor(server)
  await known.register(email)
  const observations: Observation[] = []
  for (let round = 0; round < rounds; round++) observations.push(await crowded(server, known))
  const { code, stderr } = await server.stop()
  const slowest = most(observations.map(({ again }) => again))
  const kept = observations.filter(({ page, write }) => page === 200 && write === 303).length
  return [
    {
      fault: `${crowd} connections where ${limit} files may be open, ${rounds} times`,
      promise:
        'the process stays, serves the connections it has, and within 2 s of their end others again',
      measured:
        `${most(observations.map(({ open }) => open))} were open at most; a page and a write over an open one answered ` +
        `${kept} times; a new one served ${ms(slowest)} after they closed at most; the stop ended with ${code}`,
      isKept: kept === rounds && slowest <= longestAgain && code === 0 && stderr === '',
    },
  ]
}

interface Observation {
  /** How many of the connections the server answered. */
  readonly open: number
  readonly page: number
  readonly write: number
  readonly again: number
}

async function crowded(server: Server, known: Visitor): Promise<Observation> {
  mustBe(200, await known.get('/settings/profile'))
  const connections = await Promise.all(
    Array.from({ length: crowd }, () => openConnection(server.port)),
  )
  const answers = connections.map(async (connection) => {
    const answer = connection.next()
    connection.socket.write('GET /up HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return (await answer).startsWith('HTTP/1.1 200')
  })
  const open = (await Promise.all(answers)).filter((isServed) => isServed).length
  const page = await statusOf(known.get('/settings/profile'))
  const write = await statusOf(known.rename('Ann', email))
  for (const { socket } of connections) socket.destroy()
  const again = await until(async () => {
    const visitor = new Visitor(server)
    const status = await statusOf(visitor.get('/login'))
    visitor.leave()
    return status === 200
  }, longestAgain * 5)
  return { open, page, write, again }
}

/** Returns an answer's status; 0 if the connection was closed instead. */
function statusOf(answer: Promise<{ readonly status: number }>): Promise<number> {
  return answer.then(
    ({ status }) => status,
    () => 0,
  )
}
