import { openProxy } from './open-proxy.ts'

/** A proxy to a database server that counts round trips: how often a client waits for the server. */
export interface CountingProxy {
  /**
   * A URL of the same database. Connections prepare statements separately: so there is only one, unless more are
   * requested.
   */
  readonly url: string
  readonly trips: () => number
  /** Returns the highest number of simultaneous connections. */
  readonly mostConnections: () => number
  readonly close: () => void
}

/** The round trips that frequent requests may take. */
// oxfmt-ignore
export const mostTrips: Readonly<Record<string, Trips>> = {
  postgres: { page: 1, dashboard: 1, api: 3, login: 5, register: 10, job: 2 },
  // There only a transaction's statements are sent together, and a written row must be read back.
  mysql:    { page: 1, dashboard: 1, api: 3, login: 5, register: 11, job: 3 },
}

export interface Trips {
  /** A page of a logged-in user. */
  readonly page: number
  readonly dashboard: number
  /** `GET /api/user` with a token that has not been used for a minute. */
  readonly api: number
  readonly login: number
  readonly register: number
  /** Claiming a job, which may take a read before the claim, and recording that it is done. */
  readonly job: number
}

/** Opens a proxy. `max`: connections that serve requests. */
export async function openCountingProxy(databaseUrl: string, max = 1): Promise<CountingProxy> {
  let [trips, open, mostOpen] = [0, 0, 0]
  const proxy = await openProxy(databaseUrl, { max: String(max) }, ({ client, server }) => {
    let isAnswered = true
    mostOpen = Math.max(mostOpen, ++open)
    client.on('close', () => void open--)
    client.on('data', (part: Buffer) => {
      if (isAnswered) trips++
      isAnswered = false
      server.write(part)
    })
    server.on('data', (part: Buffer) => {
      isAnswered = true
      client.write(part)
    })
  })
  return { ...proxy, trips: () => trips, mostConnections: () => mostOpen }
}
