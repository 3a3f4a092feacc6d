import { migratedIn } from '#testing/migrated'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { noon } from '../database/database.ts'
import { proxyDatabase } from './database-proxy.ts'
import type { ProxiedConnection } from './open-proxy.ts'

interface LeavingDatabase {
  readonly database: DatabaseAddress
  /** Cuts all connections, and refuses new ones until `back`. */
  readonly leave: () => void
  readonly back: () => void
}

/** Returns the address of a migrated database on a server that can go away, through a proxy. */
export async function leavingDatabase(): Promise<LeavingDatabase> {
  const open = new Set<ProxiedConnection>()
  let isAway = false
  const database = await proxyDatabase(await migratedIn('', noon), {}, (through) => {
    if (isAway) return cut(through)
    open.add(through)
    const { client, server } = through
    client.on('data', (part: Buffer) => void server.write(part))
    server.on('data', (part: Buffer) => void client.write(part))
  })
  const leave = () => {
    isAway = true
    open.forEach(cut)
  }
  return { database, leave, back: () => void (isAway = false) }
}

function cut({ client, server }: ProxiedConnection): void {
  client.destroy()
  server.destroy()
}
