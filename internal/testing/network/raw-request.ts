import { connect } from 'node:net'

/** An answer as received. */
export interface RawAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends these bytes unchanged, and resolves with the answer once the server has closed the connection. This end never
 * closes it first, so if the server leaves it open, the test hangs.
 */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes))
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.on('end', () => resolve(read(text)))
    socket.on('error', reject)
  })
}

function read(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const pairs = lines.map((line) => line.split(/:\s*(.*)/s, 2) as [string, string])
  const headers = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(end + 4) }
}
