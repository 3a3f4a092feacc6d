import { openProxy } from './open-proxy.ts'

/** A proxy to a database server that counts round trips: how often a client waits for the server. */
export interface CountingProxy {
  /** Of the same database. Each connection prepares its statements for itself: so there is one alone, unless more are asked for. */
  readonly url: string
  readonly trips: () => number
  /** How many connections there were at once, at most. */
  readonly most: () => number
  readonly close: () => void
}

/** The round trips that frequent requests may take: a test checks them, and `npm run bench` prints them. */
// oxfmt-ignore
export const mostTrips: Readonly<Record<string, Trips>> = {
  postgres: { page: 1, dashboard: 1, api: 3, login: 5, register: 10, job: 2 },
  // There only what belongs to a transaction goes at once, and a row that was written is asked for.
  mysql:    { page: 1, dashboard: 1, api: 3, login: 5, register: 11, job: 3 },
}

export interface Trips {
  /** A page of a logged-in user. */
  readonly page: number
  readonly dashboard: number
  /** `GET /api/user`, by a token that was not used for a minute. */
  readonly api: number
  readonly login: number
  readonly register: number
  /** To claim a job, which may take a read and then the claim, and to note it done. */
  readonly job: number
}

/** Opens one. `max`: connections that serve requests. */
export async function openCountingProxy(of: string, max = 1): Promise<CountingProxy> {
  let [trips, now, most] = [0, 0, 0]
  const proxy = await openProxy(of, { max: String(max) }, ({ client, server }) => {
    let isAnswered = true
    most = Math.max(most, ++now)
    client.on('close', () => void now--)
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
  return { ...proxy, trips: () => trips, most: () => most }
}
