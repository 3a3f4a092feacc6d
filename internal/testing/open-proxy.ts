import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Both ends of a connection that goes through: what comes from one is to be written to the other. */
export interface Through {
  readonly client: Socket
  readonly server: Socket
}

interface Proxy {
  /** Of the same database. */
  readonly url: string
  readonly close: () => void
}

/** Opens a way to the server of a URL, on which each connection is handed over. `query`: what the URL says besides. */
export async function openProxy(
  of: string,
  query: Readonly<Record<string, string>>,
  hand: (through: Through) => void,
): Promise<Proxy> {
  const url = new URL(of)
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
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return {
    url: url.href,
    close() {
      proxy.close()
      for (const end of open) end.destroy()
    },
  }
}
