import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { urlOf } from '../database/on-server.ts'
import { openProxy, type ProxiedConnection } from './open-proxy.ts'

/** Returns a database's address through a proxy, until the end of the test. `query` is added to the address. */
export async function proxyDatabase(
  database: DatabaseAddress,
  query: Readonly<Record<string, string>>,
  forward: (connection: ProxiedConnection) => void,
): Promise<DatabaseAddress> {
  const { url, close } = await openProxy(urlOf(database), query, forward)
  onTestFinished(close)
  return { url }
}
