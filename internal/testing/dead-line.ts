import { onTestFinished } from 'vitest'
import { required } from './executable.ts'
import { openProxy, type Through } from './open-proxy.ts'

/** A way to a server that can fall silent, until the test is over. */
interface DeadLine {
  /** Of the server at its end. */
  readonly settings: Readonly<Record<string, string>>
  /** Has nothing pass any more on the connections over which such a request went, and nobody told. */
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
