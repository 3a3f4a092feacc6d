import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Through } from './open-proxy.ts'
import { proxied } from './database-proxy.ts'

/** A proxy to a database that loses connections as a test says, until the test is over. */
interface Way {
  readonly address: DatabaseAddress
  /** How many connections came, refused ones included. */
  readonly came: () => number
  /** Cuts the connection of this number, in the order they came, from 0. */
  cut(number: number): void
  /** Passes nothing over that connection any more, without closing it. */
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
