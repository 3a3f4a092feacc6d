import { Readable } from 'node:stream'
import { createMiddleware, type NodePlatformInfo } from '@hattip/adapter-node/native-fetch'
import type { IncomingMessage } from 'node:http'
import type { HattipHandler } from '@hattip/core'
import { readBody } from './read-body.ts'
import type { Answer } from './answer.ts'
import type { Incoming } from './context.ts'
import type { Serve } from './serve.ts'

/** The listener that carries requests through HatTip to `serve` and its answers back. */
export function hattip(serve: Serve, origin: string) {
  const handler: HattipHandler<NodePlatformInfo> = async ({ request, platform }) => {
    const answer = await serve(incoming(request.method, platform.request))
    // Node takes all headers at once in half the time that HatTip takes to hand it one after the other.
    platform.response.writeHead(answer.status, headersOf(answer, platform.request))
    return response(answer)
  }
  // Host and X-Forwarded-* are never believed: what the service calls itself comes from APP_URL.
  return createMiddleware(handler, { origin, trustProxy: false, alwaysCallNext: false })
}

function incoming(method: string, request: IncomingMessage): Incoming {
  return {
    method,
    target: request.url ?? '/',
    peer: request.socket.remoteAddress ?? '',
    header(name) {
      const value = request.headers[name.toLowerCase()]
      return Array.isArray(value) ? value.join(', ') : value
    },
    read: (limit) => readBody(request, limit),
  }
}

const without = new Set([204, 304])

function headersOf({ status, headers, body, cookie }: Answer, request: IncomingMessage) {
  const sent: Record<string, string | number> = { ...headers }
  if (!without.has(status)) sent['Content-Length'] = Buffer.byteLength(body)
  if (cookie !== undefined) sent['Set-Cookie'] = cookie
  if (isCutShort(request)) sent['Connection'] = 'close'
  return sent
}

/** As much of a Response as the adapter reads: making undici's costs more than most answers do. */
function response({ status, body }: Answer): Response {
  return { status, headers: sentAlready, body: new WholeBody(body) } as unknown as Response
}

const sentAlready = { keys: (): string[] => [] }

/** A body that is all there: it goes out in one write. */
class WholeBody extends Readable {
  readonly #content: string | Uint8Array

  constructor(content: string | Uint8Array) {
    super()
    this.#content = content
  }

  override pipe<Destination extends NodeJS.WritableStream>(response: Destination): Destination {
    response.end(this.#content)
    return response
  }
}

const mostBytesReadPast = 64 * 1024

/**
 * Whether the answer came before a body that nobody will read: the connection ends with it (security rule 6). What
 * is left of a short one is read past instead, since an end in its middle may lose the answer.
 */
function isCutShort({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  const isChunked = headers['transfer-encoding'] !== undefined
  return isChunked || Number(headers['content-length'] ?? 0) > mostBytesReadPast
}
