import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a database server on which it is counted how often one waits for it. */
export interface CountingProxy {
  /** Of the same database. Each connection prepares its statements for itself: so there is one alone, unless more are asked for. */
  readonly url: string
  readonly trips: () => number
  /** How many connections there were at once, at most. */
  readonly most: () => number
  readonly close: () => void
}

/** What is asked for most, and how often each may wait for the server: a test keeps it, and `npm run bench` prints it. */
// oxfmt-ignore
export const mostTrips: Readonly<Record<string, Trips>> = {
  postgres: { page: 1, dashboard: 1, api: 3, login: 5, register: 10, job: 2 },
  // There only what belongs to a transaction goes at once, and a row that was written is asked for.
  mysql:    { page: 1, dashboard: 1, api: 3, login: 5, register: 11, job: 3 },
}

export interface Trips {
  /** With somebody logged in. */
  readonly page: number
  readonly dashboard: number
  /** `GET /api/user`, by a token that was not used for a minute. */
  readonly api: number
  readonly login: number
  readonly register: number
  /** As it is taken, which may need a look and then the taking, and as it is done. */
  readonly job: number
}

/** Opens one. `max`: connections that serve requests. */
export async function openCountingProxy(of: string, max = 1): Promise<CountingProxy> {
  const url = new URL(of)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let [trips, most] = [0, 0]
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isAnswered = true
    sockets.add(client)
    most = Math.max(most, sockets.size)
    client.on('data', (part: Buffer) => {
      if (isAnswered) trips++
      isAnswered = false
      server.write(part)
    })
    server.on('data', (part: Buffer) => {
      isAnswered = true
      client.write(part)
    })
    client.on('close', () => void (server.destroy(), sockets.delete(client))).on('error', () => {})
    server.on('close', () => client.destroy()).on('error', () => {})
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  url.searchParams.set('max', String(max))
  return {
    url: url.href,
    trips: () => trips,
    most: () => most,
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
