import { hostPort } from '../../../base/network/host-port.ts'
import type { Host } from '../../server/url.ts'

/** DB_URL leads to a pooler that lends a session of the server for each transaction, and does not say so. */
export class LendsSessions extends Error {
  override readonly name = 'LendsSessions'
}

interface Opened {
  readonly session: number
  end(): Promise<void>
}

/** The poolers that keep a session for each connection: they are checked once, since the check takes a connection. */
const keepers = new Set<string>()

/**
 * Throws `LendsSessions` if a pooler lends the session of a connection to another one that is opened meanwhile: then
 * what is set for a session reaches other clients, and no event is heard.
 */
export async function refuseLending(
  { host, port }: Host,
  session: number,
  openOther: () => Promise<Opened>,
): Promise<void> {
  const pooler = hostPort(host, port)
  if (keepers.has(pooler)) return
  if (session === (await sessionOf(openOther))) throw new LendsSessions()
  keepers.add(pooler)
}

/** Returns the session that another connection gets; undefined if it gets none: all may be kept by others. */
async function sessionOf(openOther: () => Promise<Opened>): Promise<number | undefined> {
  try {
    const other = await openOther()
    await other.end()
    return other.session
  } catch {
    return undefined
  }
}
