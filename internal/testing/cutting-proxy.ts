import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../base/settings/config.ts'
import { urlOf } from './on-server.ts'

interface Cutting {
  readonly address: DatabaseAddress
  /** Resolves once a message with this text was answered, and its connection cut before the answer arrived. */
  readonly cutAnswerTo: (text: string) => Promise<void>
}

/** The same database by a way on which an answer can be lost, until the test is over. */
export async function cutting(database: DatabaseAddress): Promise<Cutting> {
  const url = new URL(urlOf(database))
  const { hostname, port } = url
  let awaited: { text: string; cut: () => void } | undefined
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isLost = false
    client.on('data', (part: Buffer) => {
      if (awaited && part.includes(awaited.text)) isLost = true
      server.write(part)
    })
    server.on('data', (part: Buffer) => {
      if (!isLost) return void client.write(part)
      client.destroy()
      awaited?.cut()
      awaited = undefined
    })
    client.on('close', () => server.destroy()).on('error', () => {})
    server.on('close', () => client.destroy()).on('error', () => {})
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  // What is said is read in between.
  url.searchParams.set('sslmode', 'disable')
  return {
    address: { url: url.href },
    cutAnswerTo: (text) => new Promise((cut) => (awaited = { text, cut })),
  }
}
