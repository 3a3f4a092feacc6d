import '@hattip/adapter-node/fast-fetch'
import { createMiddleware, type NodePlatformInfo } from '@hattip/adapter-node/native-fetch'
import type { IncomingMessage } from 'node:http'
import type { HattipHandler } from '@hattip/core'
import { lazyRequests } from './lazy-request.ts'
import { readBody } from './read-body.ts'
import type { Answer } from './answer.ts'
import type { Incoming } from './context.ts'
import type { Serve } from './serve.ts'

/** The listener that carries requests through HatTip to `serve` and its answers back. */
export function hattip(serve: Serve, origin: string) {
  lazyRequests()
  const handler: HattipHandler<NodePlatformInfo> = async ({ request, platform }) =>
    response(await serve(incoming(request.method, platform.request)))
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

// What HatTip's own faster Response carries its whole body under, so that no stream is made of it.
const rawBody = Object.getOwnPropertySymbols(new Response(''))[0] ?? Symbol('rawBody')

/** As much of a Response as the adapter reads: making undici's costs more than most answers do. */
function response({ status, headers, body, cookie }: Answer): Response {
  const sent = new Map(Object.entries(headers))
  if (cookie !== undefined) sent.set('set-cookie', cookie)
  const light = {
    status,
    headers: {
      keys: () => sent.keys(),
      get: (name: string) => sent.get(name),
      getSetCookie: () => [cookie],
    },
    body: null,
    // An empty text would read as no raw body, and HatTip would claim a length of 0 even for a 204.
    [rawBody]: body === '' ? nothing : body,
  }
  return light as unknown as Response
}

const nothing = new Uint8Array()
