import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Both ends of a connection through a proxy: the caller forwards data between them. */
export interface ProxiedConnection {
  readonly client: Socket
  readonly server: Socket
}

interface Proxy {
  /** The URL of the same database through the proxy. */
  readonly url: string
  readonly close: () => void
}

/**
 * Opens a proxy to the server of a URL, which passes each connection to the caller. `query` is added to the new URL.
 */
export async function openProxy(
  serverUrl: string,
  query: Readonly<Record<string, string>>,
  forward: (connection: ProxiedConnection) => void,
): Promise<Proxy> {
  const url = new URL(serverUrl)
  const { hostname, port } = url
  const open = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const end of [client, server]) open.add(end.on('error', () => {}))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    forward({ client, server })
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
