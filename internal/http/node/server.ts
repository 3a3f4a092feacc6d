import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http'
import { BoundSocket, isIPv4, isIPv6, type Socket } from 'node:net'
import { messageOf } from '../../base/error-message.ts'
import { errorCode } from '../../base/error-code.ts'
import { withoutSpace } from '../../base/text/optional-space.ts'
import { hostPort } from '../../base/network/host-port.ts'
import { randomId } from '../../base/crypto/random.ts'
import { Connections } from './connections.ts'
import { endWith, refusals, refuse } from './early-refusal.ts'
import { hattip } from './hattip.ts'
import { continueOnceRead } from './read-body.ts'
import { apiRoutes, routes as pageRoutes } from '../routes.ts'
import { serve } from '../serve.ts'
import type { App } from '../../app.ts'
import type { Config } from '../../base/settings/config.ts'
import type { ApiRoute, Route } from '../router.ts'

export interface Listening {
  readonly port: number
  /**
   * Stops accepting, ends event streams, lets running requests finish, and resolves once all connections are
   * closed. Keep-alive connections get `patience` ms for a request that may be on its way, by default none.
   */
  stop(patience?: number): Promise<void>
  /** Closes all connections, for a stop that takes too long. */
  readonly cut: () => void
}

const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  // How often Node checks the first two.
  connectionsCheckingInterval: 200,
  maxHeaderSize: 16 * 1024,
  // Checked by `faultOf`, so that the refusal carries the headers every answer does.
  requireHostHeader: false,
  // Otherwise Node silently drops the second of two headers of one name, such as two that carry tokens.
  joinDuplicateHeaders: true,
  // Node would stop reading from the connection, and so miss that it is reset while earlier answers are sent.
  shouldUpgradeCallback: () => false,
}
const table = [...pageRoutes, ...apiRoutes]
const longestTarget = 8 * 1024
// Pending connections that the system may hold.
const backlog = 1024

// Milliseconds after which a silent connection is closed: otherwise an answer that nobody reads would be held
// forever. Heartbeats come more often, and the longest work on a request, a wait for a hash, takes less.
const longestSilence = 90_000

interface ListenOptions {
  /** Milliseconds; tests may shorten it. */
  readonly silence?: number
  /** The result of `reservePort`. */
  readonly reserved?: BoundSocket
}

/** Opens the HTTP server for the app; tests may replace its routes. */
export async function listen(
  app: App,
  routes: readonly (Route | ApiRoute)[] = table,
  { silence = longestSilence, reserved = reservePort(app.config) }: ListenOptions = {},
): Promise<Listening> {
  const makeRefusal = refusals(app)
  const refusal = (status: number, { remoteAddress: peer }: Socket, target?: string) => {
    const request = randomId()
    // The peer, not the client's address: the header with that one was not read.
    app.log.info('request refused', { status, peer, request })
    return makeRefusal(status, request, target)
  }
  const carry = hattip(serve(app, routes), app.config.origin, (response, error) => {
    const request = randomId()
    app.log.error('the answer could not be sent', { error, request })
    if (response.headersSent) response.destroy()
    else refuse(response, makeRefusal(500, request))
  })
  const server = createServer(limits, (request, response) => {
    connections.count(request, response)
    // Node drops what it read after a request with Upgrade, perhaps another one: the connection ends here.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    if (connections.isTooFarAhead(request.socket)) {
      request.socket.destroy()
      return
    }
    const fault = faultOf(request)
    if (fault) refuse(response, refusal(fault, request.socket, request.url))
    else carry(request, response)
  })
  server.timeout = silence
  const connections = new Connections(server)
  server.on('checkContinue', (request, response) => {
    continueOnceRead(request, response)
    server.emit('request', request, response)
  })
  // An unknown Expect, a tunnel, or not HTTP at all: one answer, then the connection ends.
  server.on('checkExpectation', ({ socket, url }, response) =>
    refuse(response, refusal(417, socket, url)),
  )
  server.on('connect', ({ socket }) => {
    connections.takeBack(socket)
    connections.afterAnswers(socket, () => endWith(socket, refusal(405, socket)))
  })
  server.on('clientError', (error, socket: Socket) =>
    connections.afterAnswers(socket, () => {
      if (connections.isAnswered(socket)) return socket.destroySoon()
      const status = statusOf(error)
      // A connection never used, or already gone, is no request to be logged.
      const isAsked = socket.writable && socket.bytesRead > 0
      endWith(socket, isAsked ? refusal(status, socket) : makeRefusal(status, randomId()))
    }),
  )
  await bind(server, app.config, reserved)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : app.config.port
  const stop = (patience = 0) => {
    app.events.close()
    return connections.stop(patience)
  }
  return { port, stop, cut: () => server.closeAllConnections() }
}

/** Returns a status for what is wrong with a request, before anything else reads it (security rule 6). */
function faultOf(request: IncomingMessage): number | undefined {
  const { url = '', method, headers, rawHeaders } = request
  if (method === 'TRACE') return 405
  if (url.length > longestTarget) return 414
  if (!url.startsWith('/') || wantsAnotherProtocol(headers)) return 400
  // Node ignores other transfer codings, and would pass the body on still encoded (RFC 9112, 6.1).
  const coding = headers['transfer-encoding'] ?? 'chunked'
  if (withoutSpace(coding).toLowerCase() !== 'chunked') return 501
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 ? undefined : 400
}

/**
 * HTTP/2 and TLS may be offered, as Java's own client and Apache's do with every request: it stays on HTTP/1.1, in
 * the clear (RFC 9110, 7.8).
 */
function wantsAnotherProtocol({ upgrade = 'h2c', connection = '' }: IncomingHttpHeaders): boolean {
  return /\bupgrade\b/i.test(connection) && !/^(?:h2c|TLS\/1\.\d)$/i.test(upgrade)
}

function statusOf(error: Error): number {
  const code = errorCode(error)
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

type ListenAddress = Readonly<Pick<Config, 'host' | 'port'>>

/**
 * Reserves the port against other programs; nobody is accepted before `listen`. Throws an error that says
 * what to do. undefined if the host is a name: `listen` looks that up.
 */
export function reservePort({ host, port }: ListenAddress): BoundSocket | undefined {
  try {
    // Node's own bind looks names up first, and checks any host for an IPv6 address: 4 ms of a start.
    return isIPv4(host) || isIPv6(host) ? new BoundSocket({ host, port }) : undefined
  } catch (error) {
    throw notOpened(error, { host, port })
  }
}

async function bind(
  server: Server,
  address: ListenAddress,
  reserved: BoundSocket | undefined,
): Promise<void> {
  try {
    if (reserved) server.listen(reserved, backlog)
    else server.listen({ ...address, backlog })
    await once(server, 'listening')
  } catch (error) {
    throw notOpened(error, address)
  }
}

function notOpened(error: unknown, address: ListenAddress): Error {
  return new Error(whyNotOpened(error, address), { cause: error })
}

// EINVAL: a link-local IPv6 address without its zone.
const noAddress: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL'])

function whyNotOpened(error: unknown, { host, port }: ListenAddress): string {
  const code = errorCode(error)
  const address = hostPort(host, port)
  if (code === 'EADDRINUSE')
    return `${address} is taken by another program. Stop it, or set PORT to another port.`
  if (code === 'EACCES') return `This user may not listen on ${address}. Set PORT to 1024 or above.`
  if (noAddress.has(code)) return `${host} is no address of this machine. Set HOST to one.`
  return `The server could not listen on ${address}: ${messageOf(error)}`
}
