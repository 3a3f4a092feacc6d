import { onTestFinished } from 'vitest'
import { required } from '../processes/executable.ts'
import { openProxy, type Through } from './open-proxy.ts'

/** A proxy to a server whose connections can fall silent, until the end of the test. */
interface DeadLine {
  /** The settings for the server behind the proxy. */
  readonly settings: Readonly<Record<string, string>>
  /** From then on forwards nothing over connections that have carried such a request, without closing them. */
  readonly silence: (request: RegExp) => void
}

export async function deadLine(): Promise<DeadLine> {
  const settings = await required()
  const open = new Map<Through, string>()
  const { url, close } = await openProxy(settings.APP_URL, {}, (through) => {
    const { client, server } = through
    client.pipe(server)
    server.pipe(client)
    open.set(through, '')
    client.on('data', (part) => open.set(through, `${open.get(through)}${String(part)}`))
  })
  onTestFinished(close)
  return {
    settings: { ...settings, APP_URL: new URL(url).origin },
    silence(request) {
      for (const [{ client, server }, sent] of open) {
        if (!request.test(sent)) continue
        client.unpipe().pause()
        server.unpipe().pause()
      }
    },
  }
}
