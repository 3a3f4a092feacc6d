import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Through } from './open-proxy.ts'
import { proxied } from './database-proxy.ts'

/** A proxy to a database that loses connections on request, until the end of the test. */
interface Way {
  readonly address: DatabaseAddress
  /** Returns how many connections were made, including refused ones. */
  readonly came: () => number
  /** Cuts the connection with this number, from 0 in order of arrival. */
  cut(number: number): void
  /** Forwards nothing more over that connection, without closing it. */
  silence(number: number): void
  /** Sets whether new connections are cut at once. */
  refuse(isRefused: boolean): void
}

export async function lossyWay(database: DatabaseAddress): Promise<Way> {
  const pairs: Through[] = []
  let isRefused = false
  const hand = (through: Through) => {
    const { client, server } = through
    pairs.push(through)
    client.pipe(server)
    server.pipe(client)
    if (isRefused) client.destroy()
  }
  return {
    address: await proxied(database, {}, hand),
    came: () => pairs.length,
    cut: (number) => void pairs[number]?.client.destroy(),
    silence(number) {
      pairs[number]?.client.unpipe().pause()
      pairs[number]?.server.unpipe().pause()
    },
    refuse: (is) => void (isRefused = is),
  }
}
