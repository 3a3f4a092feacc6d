import { errorCode } from '../../base/error-code.ts'
import { fail, ok, warn, type Finding } from '../../base/finding.ts'
import { counted } from '../../base/text/printed-sizes.ts'
import { check } from '../server/findings.ts'
import { byRows } from './advice.ts'
import type { Connection } from './connection.ts'

interface Writes {
  readonly readsOnly: boolean | number
  readonly onlyReads: boolean | number
  /** Whether the server keeps a binary log of its writes. */
  readonly binlog: boolean | number
}

/** How a server replicates from another one. */
interface Following {
  /** Seconds; null if it is not replicating now. */
  readonly Seconds_Behind_Source: number | null
}

/** Checks whether the server accepts writes, which server it replicates from, and which replicate from it. */
export async function standbyFindings(
  connection: Connection,
  { readsOnly, onlyReads, binlog }: Writes,
): Promise<Finding[]> {
  const following = await rowsIfAllowed<Following>(connection, 'SHOW REPLICA STATUS')
  if (readsOnly)
    return [
      fail(
        check,
        `The database server accepts no writes: ${whyNot(following)}`,
        'Set DB_URL to the one that accepts writes, or turn read_only off.',
      ),
    ]
  if (onlyReads)
    return [
      fail(
        check,
        'The database server accepts no writes: transaction_read_only is on.',
        'Turn it off, such as by SET PERSIST transaction_read_only = OFF.',
      ),
    ]
  if (binlog && (await variable(connection, 'binlog_format')) === 'STATEMENT')
    return [
      fail(
        check,
        'The database server accepts no writes: it logs them as statements (binlog_format is STATEMENT).',
        byRows,
      ),
    ]
  if (following && following.length > 0)
    return [
      warn(
        check,
        `The database server accepts writes, but replicates from another one: ${lagOf(following)}.`,
        'Set DB_URL to the one that it replicates from, or stop the replication (STOP REPLICA, RESET REPLICA ALL).',
      ),
    ]
  return followedFindings(await rowsIfAllowed(connection, 'SHOW REPLICAS'), following)
}

/** Returns a server variable's value; undefined if there is none of this name, as in a later version. */
async function variable(connection: Connection, name: string): Promise<unknown> {
  const [[, value] = []] = await connection.rows(`SHOW GLOBAL VARIABLES LIKE '${name}'`)
  return value
}

function whyNot(following: readonly Following[] | undefined): string {
  if (!following) return 'it is a standby of another one, or is set to read_only.'
  return following.length === 0
    ? 'it is set to read_only.'
    : `it is a standby of another one; ${lagOf(following)}.`
}

function lagOf([first]: readonly Following[]): string {
  const lag = first?.Seconds_Behind_Source ?? null
  return lag === null ? 'it does not get its changes now' : `it is ${lag} s behind`
}

function followedFindings(
  followers: readonly unknown[] | undefined,
  following: readonly unknown[] | undefined,
): Finding[] {
  if (!followers || !following)
    return [
      ok(
        check,
        'Whether it has standbys cannot be seen: that takes GRANT REPLICATION CLIENT, REPLICATION SLAVE ON *.* to the user in DB_URL.',
      ),
    ]
  if (followers.length === 0) return []
  // Only the standby knows.
  const finding = `${counted(followers.length, 'standby follows', 'standbys follow')} it; how far behind each is, doctor tells with its address in DB_URL.`
  return [ok(check, finding)]
}

/** undefined for a user without the right to know. */
async function rowsIfAllowed<Row>(
  connection: Connection,
  sql: string,
): Promise<readonly Row[] | undefined> {
  try {
    return await connection.script<Row>(sql)
  } catch (error) {
    if (/ACCESS_DENIED/.test(errorCode(error))) return undefined
    throw error
  }
}
