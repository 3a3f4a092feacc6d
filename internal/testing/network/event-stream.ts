import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Browser } from '../browser.ts'

/** An open event stream. */
export interface OpenStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Returns what has arrived so far. */
  text(): string
  /** Resolves when exactly these events have arrived. */
  events(...names: readonly string[]): Promise<void>
  readonly ended: Promise<void>
  /** Stops reading, while the connection stays open. */
  pause(): void
  close(): void
}

/** Opens the event stream like a page of this browser, and resolves with its first bytes or its end. */
export async function openStream(port: number, browser: Browser, search = ''): Promise<OpenStream> {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { Host: 'app.test', Accept: 'text/event-stream', Cookie: cookie }
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: `/broadcasts${search}`,
    headers,
    agent: false,
  })
  onTestFinished(() => void outgoing.destroy())
  outgoing.on('error', () => {}).end()
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  answer.setEncoding('utf8').on('data', (part: string) => (text += part))
  answer.on('error', () => {})
  const ended = closed(answer)
  await Promise.race([once(answer, 'data'), ended])
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: () => text,
    async events(...names) {
      const expected = names.map((name) => `event: ${name}\ndata: {}\n\n`).join('')
      const received = () => text.replace(/^retry: \d+\n\n|^:\n\n/gm, '')
      while (received().length < expected.length) await Promise.race([once(answer, 'data'), ended])
      if (received() !== expected) throw new Error(`These came, and not ${names.join()}: ${text}`)
    },
    ended,
    pause: () => answer.socket.pause(),
    close: () => void outgoing.destroy(),
  }
}

async function closed(answer: IncomingMessage): Promise<void> {
  await once(answer, 'close')
}
