import { onTestFinished } from 'vitest'
import { requiredSettings } from '../processes/executable.ts'
import { openProxy, type ProxiedConnection } from './open-proxy.ts'

/** A proxy to a server whose connections can fall silent, until the end of the test. */
interface SilentProxy {
  /** The settings for the server behind the proxy. */
  readonly settings: Readonly<Record<string, string>>
  /** From then on forwards nothing over connections that have carried such a request, without closing them. */
  readonly silence: (request: RegExp) => void
}

export async function silentProxy(): Promise<SilentProxy> {
  const settings = await requiredSettings()
  const received = new Map<ProxiedConnection, string>()
  const { url, close } = await openProxy(settings.APP_URL, {}, (connection) => {
    const { client, server } = connection
    client.pipe(server)
    server.pipe(client)
    received.set(connection, '')
    client.on('data', (part) =>
      received.set(connection, `${received.get(connection)}${String(part)}`),
    )
  })
  onTestFinished(close)
  return {
    settings: { ...settings, APP_URL: new URL(url).origin },
    silence(request) {
      for (const [{ client, server }, sent] of received) {
        if (!request.test(sent)) continue
        client.unpipe().pause()
        server.unpipe().pause()
      }
    },
  }
}
