import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { appName } from '../../web/contract/name.ts'
import { browserId } from '../../internal/testing/database/fill-database.ts'

/** Requests to one port; each connection sends its next request when it has the answer to the one before. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly requests: number
  /** The nth request as it travels, from 0. */
  readonly request: (n: number) => string
  /** Called with the head of the answer to the nth request. */
  readonly answered?: (n: number, head: string) => void
}

const longest = 60_000

/**
 * Sends all requests, and returns how many were answered a second. Throws on any answer but 200, and after a minute.
 */
export async function perSecond(load: Load): Promise<number> {
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, () => opened(load.port)),
  )
  const late = setTimeout(() => {
    for (const socket of sockets)
      socket.destroy(new Error(`${load.requests} requests took over a minute.`))
  }, longest)
  let sent = 0
  const next = () => (sent < load.requests ? sent++ : undefined)
  try {
    const started = performance.now()
    await Promise.all(sockets.map((socket) => drive(socket, load, next)))
    return (load.requests / (performance.now() - started)) * 1000
  } finally {
    clearTimeout(late)
    for (const socket of sockets) socket.destroy()
  }
}

/** Resolves with the first 200 of `/up`, asking again and again from before anything listens. */
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

/** A GET as it travels. */
export function get(path: string, headers: Readonly<Record<string, string>> = {}): string {
  return `GET ${path} HTTP/1.1\r\n${lines(headers)}\r\n`
}

/** A form sent as JSON, so that a refused form has another status than one that succeeds. */
export function post(
  path: string,
  address: string,
  form: Readonly<Record<string, string>>,
): string {
  const headers = { Cookie: `${appName}_browser=${browserId}`, 'X-Forwarded-For': address }
  return postJson(path, form, headers)
}

/** A POST of JSON as it travels. */
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

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await once(socket, 'connect')
  return socket
}

function drive(socket: Socket, load: Load, next: () => number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let current = 0
    const send = () => {
      const n = next()
      if (n === undefined) return resolve()
      current = n
      socket.write(load.request(n))
    }
    const read = answers((head) => {
      load.answered?.(current, head)
      send()
    })
    socket.on('data', (part) => {
      try {
        read(part as Buffer)
      } catch (error) {
        reject(error)
      }
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection.')))
    send()
  })
}

/** Takes what arrives on a connection, and calls `whole` with the head of each answer once that is complete. */
function answers(whole: (head: string) => void): (part: Buffer) => void {
  let head = ''
  let missing = 0
  return (part) => {
    // The servers write a head at once, and a last chunk too, so neither ever comes in two parts.
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
    if (missing === 0) whole(head)
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')

/** The bytes missing of an answer in chunks: 0 after the last chunk, else Infinity, since their number is not known. */
function missingAfter(part: Buffer): number {
  return part.subarray(-lastChunk.length).equals(lastChunk) ? 0 : Infinity
}
