import { fail, ok, warn, type Finding } from '../../base/finding.ts'
import { errorSentence } from '../../base/error-message.ts'
import { Unreachable } from './unreachable.ts'
import type { ServerUrl } from './url.ts'

export const check = 'database'

/** The finding for a database that is missing or has no tables. */
export function noDatabase(name: string): Finding {
  return fail(
    check,
    `There is no database ${name}, or no table in it that its user may see.`,
    'Set DB_URL to the database of the server, with a user who may use its schema. In a new and empty one the first start makes the tables.',
  )
}

/** The finding for an error that prevents querying the server. */
export function closedDatabase(error: unknown): Finding {
  if (error instanceof Unreachable) {
    const { finding, advice } = error
    return fail(check, `${finding}.`, `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`)
  }
  return fail(check, errorSentence(error), 'Check the log of the database server.')
}

/** Whether the connection can be eavesdropped on. `tls`: the version of TLS; null for plaintext. */
export function tlsFinding(tls: string | null, { hosts, sslmode }: ServerUrl): Finding {
  if (tls !== null && sslmode === 'verify-full')
    return ok(check, `The connection uses ${tls}, and the certificate is checked.`)
  const isHere = hosts.every(({ host }) => /^(?:\/.*|localhost|127(?:\.\d+){3}|::1)$/.test(host))
  if (isHere) return ok(check, 'It runs on this machine, so nobody can listen in.')
  return warn(
    check,
    tls === null
      ? 'The connection is not encrypted: password hashes can be read on the way.'
      : `The connection uses ${tls}, but nothing checks whether it is the right server.`,
    'Set sslmode=verify-full in DB_URL, with sslrootcert where the certificate is signed by yourselves.',
  )
}

/**
 * The most connections of an app server besides those for requests and jobs: one each for events, for its presence and
 * for its guard, and one used briefly to migrate or to check whether another server has died. README states this
 * number too.
 */
export const besides = 4

interface Limited {
  readonly used: number
  readonly most: number
  /** Whose connections these are, and the setting that limits them; all connections of the server if absent. */
  readonly scope?: string
  readonly limit?: string
}

/** Whether there is room for the connections of one more app server. */
export function connectionsFinding(
  { used, most, scope = '', limit = 'max_connections of the database server' }: Limited,
  { max }: ServerUrl,
): Finding {
  const finding = `${used} of ${most} connections${scope} are in use; a server takes up to ${max + besides}.`
  if (most - used >= max + besides) return ok(check, finding)
  return warn(
    check,
    finding,
    `Raise ${limit}, or lower max in DB_URL: all servers of the app together, and what else connects, must find room.`,
  )
}

// Milliseconds.
const largestSkew = 5000

/** `skew`: milliseconds that the database server's clock is ahead of this machine's. */
export function clockFinding(skew: number): Finding {
  const seconds = Math.abs(skew / 1000).toFixed(1)
  if (Math.abs(skew) <= largestSkew)
    return ok(check, `Its clock is ${seconds} s away from that of this machine.`)
  return warn(
    check,
    `Its clock is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} that of this machine.`,
    'Let a time server keep both right.',
  )
}
