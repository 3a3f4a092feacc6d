import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { apiRefusal } from '../api/api.ts'
import { isApi, standingHeaders } from '../headers.ts'
import { endInStages, lingerOver } from './lingering-close.ts'
import type { App } from '../../app.ts'

/** The answer to a request that `serve` does not see. */
export interface EarlyRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Returns what makes refusals with the standing headers; at a `target` of the API they are JSON. */
export function refusals(app: App): (status: number, id: string, target?: string) => EarlyRefusal {
  const standing = standingHeaders(app)
  return (status, id, target = '') => {
    // The target may be an absolute URL, which is refused like any other (RFC 9112, 3.2.2).
    const path = target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] ?? ''
    const { body, ...typed } = isApi(path) ? apiRefusal(status) : textRefusal(status)
    const headers = {
      ...standing({ id, path }),
      ...typed,
      'Content-Length': String(body.length),
      'Cache-Control': 'no-store',
      Connection: 'close',
      ...(status === 405 && { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }),
    }
    return { status, headers, body }
  }
}

function textRefusal(status: number) {
  const body = `${STATUS_CODES[status]}\n`
  return { body, 'Content-Type': 'text/plain; charset=utf-8' }
}

export function refuse(response: ServerResponse, { status, headers, body }: EarlyRefusal): void {
  lingerOver(response.req, response.socket ?? response.req.socket)
  response.writeHead(status, headers).end(body)
}

/** Refuses on a bare socket and closes it, even if the other end does not close its half. */
export function endWith(socket: Socket, refusal: EarlyRefusal): void {
  if (!socket.writable) socket.destroy()
  // The body of such a request may still be arriving. Nothing else that is refused here is waited for.
  else if (refusal.status === 431) endInStages(socket, raw(refusal))
  else socket.end(raw(refusal), () => socket.destroy())
}

function raw({ status, headers, body }: EarlyRefusal): string {
  // As Node adds it to any other answer (RFC 9110, 6.6.1).
  const dated = { ...headers, Date: new Date().toUTCString() }
  const lines = Object.entries(dated).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
