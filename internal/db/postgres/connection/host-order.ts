import type { Host } from '../../server/url.ts'
import type { PostgresUrl } from './url.ts'

// Keyed by the hosts of a URL.
const lastWriters = new Map<string, Host>()

/**
 * Returns the hosts in the order in which to try them: when a writable one is needed, the one found last comes first,
 * since otherwise each connection would wait for an earlier host that hangs. When any will do, their order is the
 * operator's choice.
 */
export function inOrder({ hosts, readWrite }: PostgresUrl): readonly Host[] {
  const last = readWrite ? lastWriters.get(JSON.stringify(hosts)) : undefined
  const isLast = ({ host, port }: Host) => host === last?.host && port === last.port
  return [...hosts.filter(isLast), ...hosts.filter((host) => !isLast(host))]
}

/** Remembers which host was connected to. */
export function noteFound({ hosts, readWrite }: PostgresUrl, host: Host): void {
  if (readWrite) lastWriters.set(JSON.stringify(hosts), host)
}
