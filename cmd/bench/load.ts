import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { appName } from '../../web/contract/name.ts'
import { browserId } from '../../internal/testing/database/fill-database.ts'

/** Requests to one port; each connection sends its next request after the previous answer. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly requests: number
  /** Returns the nth request in wire format, from 0. */
  readonly request: (n: number) => string
  /** Called with the head of the nth answer. */
  readonly onAnswer?: (n: number, head: string) => void
}

const timeout = 60_000

/** Sends all requests, and returns the answers per second. Throws on any answer but 200, and after a minute. */
export async function perSecond(load: Load): Promise<number> {
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, () => openSocket(load.port)),
  )
  const timer = setTimeout(() => {
    for (const socket of sockets)
      socket.destroy(new Error(`${load.requests} requests took over a minute.`))
  }, timeout)
  let sent = 0
  const next = () => (sent < load.requests ? sent++ : undefined)
  try {
    const started = performance.now()
    await Promise.all(sockets.map((socket) => sendRequests(socket, load, next)))
    return (load.requests / (performance.now() - started)) * 1000
  } finally {
    clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
  }
}

/** Resolves at the first 200 of `/up`, polling from before anything listens. */
export async function untilUp(port: number): Promise<void> {
  const until = performance.now() + 10_000
  for (;;) {
    try {
      await perSecond({ port, connections: 1, requests: 1, request: () => get('/up') })
      return
    } catch (error) {
      if (performance.now() > until) throw error
      await pause(1)
    }
  }
}

/** Returns a GET in wire format. */
export function get(path: string, headers: Readonly<Record<string, string>> = {}): string {
  return `GET ${path} HTTP/1.1\r\n${lines(headers)}\r\n`
}

/** Returns a form sent as JSON, so that a refused form has a different status from one that succeeds. */
export function post(
  path: string,
  address: string,
  form: Readonly<Record<string, string>>,
): string {
  const headers = { Cookie: `${appName}_browser=${browserId}`, 'X-Forwarded-For': address }
  return postJson(path, form, headers)
}

/** Returns a POST of JSON in wire format. */
export function postJson(
  path: string,
  content: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): string {
  const body = JSON.stringify(content)
  const allHeaders = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }
  return `POST ${path} HTTP/1.1\r\n${lines(allHeaders)}\r\n${body}`
}

function lines(headers: Readonly<Record<string, string>>): string {
  const allHeaders = Object.entries({ Host: '127.0.0.1', ...headers })
  return allHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await once(socket, 'connect')
  return socket
}

function sendRequests(socket: Socket, load: Load, next: () => number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let current = 0
    const send = () => {
      const n = next()
      if (n === undefined) return resolve()
      current = n
      socket.write(load.request(n))
    }
    const readPart = answerReader((head) => {
      load.onAnswer?.(current, head)
      send()
    })
    socket.on('data', (part) => {
      try {
        readPart(part as Buffer)
      } catch (error) {
        reject(error)
      }
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection.')))
    send()
  })
}

/**
 * Returns a receiver for a connection's data, which calls `onComplete` with an answer's head once that answer is
 * complete.
 */
function answerReader(onComplete: (head: string) => void): (part: Buffer) => void {
  let head = ''
  let missing = 0
  return (part) => {
    // The servers write a head in one piece, and a last chunk too, so neither arrives in two parts.
    if (missing === Infinity) missing = missingAfter(part)
    else if (missing > 0) missing -= part.length
    else {
      const end = part.indexOf('\r\n\r\n')
      head = part.toString('latin1', 0, end + 2)
      if (!head.startsWith('HTTP/1.1 200 '))
        throw new Error(`An answer was not 200: ${part.toString()}`)
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
      if (length !== undefined) missing = end + 4 + Number(length) - part.length
      else if (/\r\ntransfer-encoding: chunked\r\n/i.test(head)) missing = missingAfter(part)
      else throw new Error(`An answer has no length: ${head}`)
    }
    if (missing === 0) onComplete(head)
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')

/**
 * Returns the missing bytes of a chunked answer: 0 after the last chunk, else Infinity, since the number is unknown.
 */
function missingAfter(part: Buffer): number {
  return part.subarray(-lastChunk.length).equals(lastChunk) ? 0 : Infinity
}
