import { createMiddleware, type NodePlatformInfo } from '@hattip/adapter-node/native-fetch'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HattipHandler } from '@hattip/core'
import { lingerOver } from './lingering-close.ts'
import { expectsContinue, pourBody, readBody } from './read-body.ts'
import type { Answer } from '../answer.ts'
import type { Incoming } from '../arrived.ts'
import type { Serve } from '../serve.ts'

/** Ends a request whose answer could not be sent: a bug, since `serve` answers all earlier failures. */
type Fail = (response: ServerResponse, error: unknown) => void

/** Makes the listener that passes requests through HatTip to `serve`, and sends its answers. */
export function hattip(serve: Serve, origin: string, fail: Fail) {
  const handler: HattipHandler<NodePlatformInfo> = async (context) => {
    const { request, platform } = context
    // HatTip's own listener, the last one added. It would retain HatTip's request objects as long as a stream
    // lasts, and take a fully received form for a browser that is gone: an unused error of 45 µs a form.
    const own = platform.request.listeners('close').at(-1)
    if (own) platform.request.off('close', own)
    // A response has its socket only once earlier ones are sent, and a request only until its body is refused.
    const { socket } = platform.request
    send(platform, socket, await serve(incoming(request.method, platform.request)))
    // Nothing is left for HatTip to send.
    context.passThrough()
    return sentAlready
  }
  // Host and X-Forwarded-* are never trusted: the service's own origin comes from APP_URL.
  const carry = createMiddleware(handler, { origin, trustProxy: false, alwaysCallNext: false })
  return (request: IncomingMessage, response: ServerResponse) =>
    carry(request, response, (error?: unknown) => {
      // HatTip also calls this without an error, after a handler has passed a request through.
      if (error !== undefined) fail(response, error)
    })
}

// HatTip requires a Response from each handler, but ignores that of a request passed through. A real one
// would load all of fetch: 5 MB of memory.
const sentAlready = {} as Response

/** Sends an answer with Node itself: undici's Response costs more than most answers do. */
function send({ request, response }: NodePlatformInfo, socket: Socket, answer: Answer): void {
  // A destroyed response emits no second `close`: what a stream retains until then would leak.
  if (response.destroyed) return
  response.on('error', ignore)
  const cutShort = isCutShort(request)
  if (cutShort) lingerOver(request, socket)
  response.writeHead(answer.status, headersOf(answer, cutShort))
  if (typeof answer.body !== 'function') response.end(answer.body)
  // Node drops what is written for a HEAD, but a stream need not start for it.
  else if (request.method === 'HEAD') response.end()
  else answer.body(response)
}

/** Ignores a disconnected browser: the stream learns of it by `close`. */
function ignore(): void {}

function incoming(method: string, request: IncomingMessage): Incoming {
  return {
    method,
    target: request.url ?? '/',
    peer: request.socket.remoteAddress ?? '',
    header(name) {
      const value = request.headers[lowerCase(name)]
      return Array.isArray(value) ? value.join(', ') : value
    },
    read: (limit) => readBody(request, limit),
    pour: (into, limits) => pourBody(request, into, limits),
  }
}

const lowerCaseNames = new Map<string, string>()

/** Returns a header name in lower case, as in Node. All names are literals: each is converted once. */
function lowerCase(name: string): string {
  let lower = lowerCaseNames.get(name)
  if (lower === undefined) lowerCaseNames.set(name, (lower = name.toLowerCase()))
  return lower
}

const withoutBody = new Set([204, 304])

function headersOf({ status, headers, body, cookies = [] }: Answer, cutShort: boolean) {
  const sentHeaders: Record<string, string | number | string[]> = { ...headers }
  if (typeof body !== 'function' && !withoutBody.has(status))
    sentHeaders['Content-Length'] = Buffer.byteLength(body)
  if (cookies.length > 0) sentHeaders['Set-Cookie'] = [...cookies]
  if (cutShort) sentHeaders['Connection'] = 'close'
  return sentHeaders
}

const mostBytesReadPast = 64 * 1024

/**
 * Whether the answer precedes a body that nobody will read: then the connection closes (security rule 6). The
 * rest of a short one is discarded instead, since closing in its middle may lose the answer.
 */
function isCutShort(request: IncomingMessage): boolean {
  const { complete, headers } = request
  if (complete) return false
  // It may never be sent, or may come all the same.
  if (expectsContinue(request)) return true
  const isChunked = headers['transfer-encoding'] !== undefined
  return isChunked || Number(headers['content-length'] ?? 0) > mostBytesReadPast
}
