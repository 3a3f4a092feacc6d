import { get } from 'node:http'
import { hostPort } from '../../../internal/base/network/host-port.ts'
import { readSettings } from '../settings/read-settings.ts'

// Milliseconds. A healthy server answers within a few, even when busy.
const patience = 3_000

/**
 * Asks the server with these settings, on this machine, whether it serves. Reads all settings, as the server does,
 * though it needs only two: a server with a faulty one does not start. Throws a sentence saying what is wrong.
 */
export async function checkHealth(): Promise<number> {
  const { host, port } = (await readSettings()).config
  if (port === 0)
    throw new Error('PORT is 0, which lets the server take any port. Set it to a fixed one.')
  const address = hostPort(host, port)
  const { status, text } = await requestUp(host, port).catch((error: NodeJS.ErrnoException) => {
    throw new Error(requestFailure(error, address), { cause: error })
  })
  if (status === 503)
    throw new Error(
      `The server at ${address} answers 503: it cannot reach its database. See its log.`,
    )
  if (status !== 200 || text !== 'up')
    throw new Error(
      `What answers at ${address} is another program. Set HOST and PORT as the server's.`,
    )
  console.log(text)
  return 0
}

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

// A server listening on all addresses is reachable on this one, even if the machine has no IPv6.
const allAddresses = new Set(['0.0.0.0', '::'])

function requestUp(host: string, port: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const target = { host: allAddresses.has(host) ? '127.0.0.1' : host, port, path: '/up' }
  get({ ...target, agent: false, signal: AbortSignal.timeout(patience) }, (answer) => {
    let text = ''
    answer.setEncoding('utf8')
    // Limited, since another program may send without end.
    answer.on('data', (part: string) => (text = (text + part).slice(0, 100)))
    answer.on('end', () => resolve({ status: answer.statusCode, text }))
    answer.on('error', reject)
  }).on('error', reject)
  return promise
}

function requestFailure({ code, message }: NodeJS.ErrnoException, address: string): string {
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${address}. Start the server, or set HOST and PORT as it has them.`
  if (code === 'ABORT_ERR')
    return `What listens at ${address} did not answer within ${patience / 1000} seconds. See its log.`
  return `${address} gave no answer that can be read (${message}).`
}
