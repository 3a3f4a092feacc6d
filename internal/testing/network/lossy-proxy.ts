import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { ProxiedConnection } from './open-proxy.ts'
import { proxyDatabase } from './database-proxy.ts'

/** A proxy to a database that loses connections on request, until the end of the test. */
interface LossyProxy {
  readonly address: DatabaseAddress
  /** Returns how many connections were made, including refused ones. */
  readonly connectionCount: () => number
  /** Cuts the connection with this number, from 0 in order of arrival. */
  cut(number: number): void
  /** Forwards nothing more over that connection, without closing it. */
  silence(number: number): void
  /** Sets whether new connections are cut at once. */
  refuse(isRefused: boolean): void
}

export async function lossyProxy(database: DatabaseAddress): Promise<LossyProxy> {
  const connections: ProxiedConnection[] = []
  let isRefused = false
  const forward = (connection: ProxiedConnection) => {
    const { client, server } = connection
    connections.push(connection)
    client.pipe(server)
    server.pipe(client)
    if (isRefused) client.destroy()
  }
  return {
    address: await proxyDatabase(database, {}, forward),
    connectionCount: () => connections.length,
    cut: (number) => void connections[number]?.client.destroy(),
    silence(number) {
      connections[number]?.client.unpipe().pause()
      connections[number]?.server.unpipe().pause()
    },
    refuse: (is) => void (isRefused = is),
  }
}
