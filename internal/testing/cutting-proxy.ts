import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../base/settings/config.ts'
import { urlOf } from './on-server.ts'

/** A way to a database on which connections are lost as a test says, until it is over. */
interface Way {
  readonly address: DatabaseAddress
  /** How many came, those that were refused too. */
  readonly came: () => number
  /** Cuts the one that came as this one, from 0 on. */
  cut(number: number): void
  /** Nothing goes over that one any more, and nobody is told. */
  silence(number: number): void
  /** Whether those that come are cut at once. */
  refuse(isRefused: boolean): void
}

export async function cutting(database: DatabaseAddress): Promise<Way> {
  const url = new URL(urlOf(database))
  const { hostname, port } = url
  const pairs: { client: Socket; server: Socket }[] = []
  let isRefused = false
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    pairs.push({ client, server })
    client.pipe(server)
    server.pipe(client)
    client.on('close', () => server.destroy()).on('error', () => {})
    server.on('close', () => client.destroy()).on('error', () => {})
    if (isRefused) client.destroy()
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const { client } of pairs) client.destroy()
    proxy.close()
  })
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    address: { url: url.href },
    came: () => pairs.length,
    cut: (number) => void pairs[number]?.client.destroy(),
    silence(number) {
      pairs[number]?.client.unpipe().pause()
      pairs[number]?.server.unpipe().pause()
    },
    refuse: (is) => void (isRefused = is),
  }
}
