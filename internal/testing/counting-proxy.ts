import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../base/settings/config.ts'
import { urlOf } from './on-server.ts'

/** The same database by a way on which it is counted how often one waits for the server, until the test is over. */
export async function counted(
  database: DatabaseAddress,
): Promise<{ address: DatabaseAddress; trips: () => number }> {
  const url = new URL(urlOf(database))
  const { hostname, port } = url
  let trips = 0
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isAnswered = true
    client.on('data', (part: Buffer) => {
      if (isAnswered) trips++
      isAnswered = false
      server.write(part)
    })
    server.on('data', (part: Buffer) => {
      isAnswered = true
      client.write(part)
    })
    client.on('close', () => server.destroy()).on('error', () => {})
    server.on('close', () => client.destroy()).on('error', () => {})
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  // Each connection prepares its statements for itself: on one alone it is counted what comes after that.
  url.searchParams.set('max', '1')
  return { address: { url: url.href }, trips: () => trips }
}
