import type { DatabaseAddress } from '../base/settings/config.ts'
import { proxied } from './proxy.ts'

/** The same database by a way on which it is counted how often one waits for the server, until the test is over. */
export async function counted(
  database: DatabaseAddress,
): Promise<{ address: DatabaseAddress; trips: () => number }> {
  let trips = 0
  // Each connection prepares its statements for itself: on one alone it is counted what comes after that.
  const address = await proxied(database, { max: '1' }, ({ client, server }) => {
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
  })
  return { address, trips: () => trips }
}
