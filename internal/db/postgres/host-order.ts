import type { Host } from '../server/url.ts'
import type { PostgresUrl } from './url.ts'

// By the hosts of a URL.
const lastWriters = new Map<string, Host>()

/**
 * The hosts in the order in which to ask them: where the one that takes writes is looked for, the one found last comes
 * first. Each connection would wait anew for one before it that hangs. Where any will do, their order is a choice.
 */
export function inOrder({ hosts, readWrite }: PostgresUrl): readonly Host[] {
  const last = readWrite ? lastWriters.get(JSON.stringify(hosts)) : undefined
  const isLast = ({ host, port }: Host) => host === last?.host && port === last.port
  return [...hosts.filter(isLast), ...hosts.filter((host) => !isLast(host))]
}

/** Notes down which host was connected to. */
export function noteFound({ hosts, readWrite }: PostgresUrl, host: Host): void {
  if (readWrite) lastWriters.set(JSON.stringify(hosts), host)
}
