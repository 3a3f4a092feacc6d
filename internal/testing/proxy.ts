import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../base/settings/config.ts'
import { urlOf } from './on-server.ts'

/** Both ends of a connection that goes through: what comes from one is to be written to the other. */
export interface Through {
  readonly client: Socket
  readonly server: Socket
}

/** The same database by a way on which each connection is handed over, until the test is over. `query`: of its address. */
export async function proxied(
  database: DatabaseAddress,
  query: Readonly<Record<string, string>>,
  hand: (through: Through) => void,
): Promise<DatabaseAddress> {
  const url = new URL(urlOf(database))
  const { hostname, port } = url
  const open = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const end of [client, server]) open.add(end.on('error', () => {}))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    hand({ client, server })
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    proxy.close()
    for (const end of open) end.destroy()
  })
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return { url: url.href }
}
