import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Through } from './open-proxy.ts'
import { proxied } from './proxy.ts'

/** A way to a database on which connections are lost as a test says, until it is over. */
interface Way {
  readonly address: DatabaseAddress
  /** How many came, those that were refused too. */
  readonly came: () => number
  /** Cuts the one that came as this one, from 0 on. */
  cut(number: number): void
  /** Nothing goes over that one any more, and nobody is told. */
  silence(number: number): void
  /** Whether those that come are cut at once. */
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
