import { mustBe, Visitor } from './tools/client.ts'
import { openConnection } from './tools/connection.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { maximum, ms } from './tools/figures.ts'
import { type Server, start } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'
import { until } from './tools/until.ts'

const limit = 128
const connectionCount = 3 * limit
const longestRecovery = 2000
const email = 'ann@example.com'

/** Opens more connections than the process may have files open, and requests pages meanwhile and afterwards. */
export async function descriptors({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 2 : 10
  const launcher = [need('prlimit'), `--nofile=${limit}:${limit}`]
  const server = await start({ launcher })
  const user = new Visitor(server)
  await user.register(email)
  const observations: Observation[] = []
  for (let round = 0; round < rounds; round++) observations.push(await tryCrowd(server, user))
  const { code, stderr } = await server.stop()
  const slowestRecovery = maximum(observations.map(({ recoveryTime }) => recoveryTime))
  const keptRounds = observations.filter(({ page, write }) => page === 200 && write === 303).length
  return [
    {
      fault: `${connectionCount} connections where ${limit} files may be open, ${rounds} times`,
      promise:
        'the process stays, serves the connections it has, and within 2 s of their end others again',
      figures:
        `${maximum(observations.map(({ openConnections }) => openConnections))} were open at most; a page and a write over an open one answered ` +
        `${keptRounds} times; a new one served ${ms(slowestRecovery)} after they closed at most; the stop ended with ${code}`,
      isKept:
        keptRounds === rounds && slowestRecovery <= longestRecovery && code === 0 && stderr === '',
    },
  ]
}

interface Observation {
  /** How many of the connections the server answered. */
  readonly openConnections: number
  readonly page: number
  readonly write: number
  readonly recoveryTime: number
}

async function tryCrowd(server: Server, user: Visitor): Promise<Observation> {
  mustBe(200, await user.get('/settings/profile'))
  const connections = await Promise.all(
    Array.from({ length: connectionCount }, () => openConnection(server.port)),
  )
  const answers = connections.map(async (connection) => {
    const answer = connection.next()
    connection.socket.write('GET /up HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return (await answer).startsWith('HTTP/1.1 200')
  })
  const openConnections = (await Promise.all(answers)).filter((isServed) => isServed).length
  const page = await statusOf(user.get('/settings/profile'))
  const write = await statusOf(user.rename('Ann', email))
  for (const { socket } of connections) socket.destroy()
  const recoveryTime = await until(async () => {
    const visitor = new Visitor(server)
    const status = await statusOf(visitor.get('/login'))
    visitor.leave()
    return status === 200
  }, longestRecovery * 5)
  return { openConnections, page, write, recoveryTime }
}

/** Returns an answer's status; 0 if the connection was closed instead. */
function statusOf(answer: Promise<{ readonly status: number }>): Promise<number> {
  return answer.then(
    ({ status }) => status,
    () => 0,
  )
}
