import { rowOf } from '../server/answer.ts'
import { fail, ok, warn, type Finding } from '../../base/finding.ts'
import { counted, sizeOf } from '../../base/text/printed-sizes.ts'
import type { Connection } from './connection.ts'
import { orphansIn } from '../server/soundness.ts'
import { check, clockFinding, connectionsFinding, tlsFinding } from '../server/findings.ts'
import { foreignKeysIn } from './schema/columns.ts'
import type { PostgresUrl } from './connection/url.ts'

interface Facts {
  readonly version: string
  readonly size: number
  readonly tls: string | null
  readonly used: number
  readonly most: number
  /** For the user in DB_URL, and for the database: -1 or null if unlimited. */
  readonly usedByRole: number
  readonly mostOfRole: number | null
  readonly usedInDatabase: number
  readonly mostInDatabase: number | null
  readonly unsafe: string | null
  readonly standsBy: boolean
  /** Whether new connections are read-only by default: this one has made itself so. */
  readonly onlyReads: boolean
  readonly standbys: number
  /** Seconds and bytes by which the slowest standby lags; null if this user may not know, or nothing is written. */
  readonly lag: number | null
  readonly behind: number | null
  /** Commits wait for a standby, and none is connected. */
  readonly waits: boolean
  readonly clock: Date
}

/** Checks the server: version, TLS, connections, durability in a power cut, standbys and clock. */
export async function serverFindings(connection: Connection, url: PostgresUrl): Promise<Finding[]> {
  const askedAt = Date.now()
  const facts = rowOf(
    await connection.ask<Facts>(`
    SELECT current_setting('server_version') AS version,
      pg_database_size(current_database()) AS size,
      (SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls,
      (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer AS most,
      (SELECT count(*) FROM pg_stat_activity WHERE usename = session_user) AS used_by_role,
      (SELECT rolconnlimit FROM pg_roles
        WHERE rolname = session_user AND NOT rolsuper) AS most_of_role,
      (SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND usename IS NOT NULL) AS used_in_database,
      (SELECT datconnlimit FROM pg_database, pg_roles
        WHERE datname = current_database()
          AND rolname = session_user AND NOT rolsuper) AS most_in_database,
      (SELECT string_agg(name, ', ' ORDER BY name) FROM pg_settings
        WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off') AS unsafe,
      pg_is_in_recovery() AS stands_by,
      (SELECT reset_val = 'on' FROM pg_settings
        WHERE name = 'default_transaction_read_only') AS only_reads,
      (SELECT count(*) FROM pg_stat_replication) AS standbys,
      (SELECT extract(epoch FROM max(replay_lag))::double precision FROM pg_stat_replication) AS lag,
      CASE WHEN NOT pg_is_in_recovery() THEN
        (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint
          FROM pg_stat_replication) END AS behind,
      current_setting('synchronous_standby_names') <> ''
        AND current_setting('synchronous_commit') NOT IN ('off', 'local')
        AND NOT EXISTS (SELECT 1 FROM pg_stat_replication
          WHERE sync_state IN ('sync', 'quorum') OR sync_state IS NULL) AS waits,
      clock_timestamp() AS clock`),
  )
  const answeredAt = Date.now()
  return [
    ok(check, `PostgreSQL ${facts.version} answers; the database has ${sizeOf(facts.size)}.`),
    tlsFinding(facts.tls, url),
    connectionsFinding(facts, url),
    ...limitFindings(facts, url),
    ...durabilityFindings(facts),
    ...standbyFindings(facts),
    clockFinding(facts.clock.getTime() - (askedAt + answeredAt) / 2),
  ]
}

/** Checks the limits of the user and of the database, which refuse connections before the server is full. */
function limitFindings(
  { usedByRole, mostOfRole, usedInDatabase, mostInDatabase }: Facts,
  url: PostgresUrl,
): Finding[] {
  const limit = 'its CONNECTION LIMIT'
  const ofRole = { used: usedByRole, most: mostOfRole ?? -1, scope: ` of the role "${url.user}"` }
  const scope = ` to the database "${url.database}"`
  const ofDatabase = { used: usedInDatabase, most: mostInDatabase ?? -1, scope }
  return [ofRole, ofDatabase]
    .filter(({ most }) => most >= 0)
    .map((limited) => connectionsFinding({ ...limited, limit }, url))
}

function durabilityFindings({ unsafe }: Facts): Finding[] {
  if (unsafe === null) return []
  return [
    fail(
      check,
      `The database server has ${unsafe} off: a power cut loses acknowledged changes, or the whole database.`,
      'Turn it on again in its configuration.',
    ),
  ]
}

// Bytes: more than a short network failure leaves.
const farBehind = 64 * 1024 ** 2

function standbyFindings(facts: Facts): Finding[] {
  const { standsBy, onlyReads, standbys, waits, lag, behind } = facts
  if (standsBy)
    return [
      fail(
        check,
        'The database server is a standby of another one, and accepts no writes.',
        'Name both in DB_URL, with a comma between the hosts, and set target_session_attrs=read-write.',
      ),
    ]
  if (onlyReads)
    return [
      fail(
        check,
        'The database accepts no writes: default_transaction_read_only is on, of the user in DB_URL, the database or the server.',
        'Turn it off there, such as by ALTER DATABASE … RESET default_transaction_read_only.',
      ),
    ]
  if (waits)
    return [
      fail(
        check,
        'Each commit waits for a synchronous standby, and none is there: nothing can be changed.',
        'Start the standby, or take it out of synchronous_standby_names of the database server.',
      ),
    ]
  if (standbys === 0) return []
  const lags =
    behind === null ? '' : `, the slowest ${(lag ?? 0).toFixed(1)} s and ${sizeOf(behind)} behind`
  const finding = `${counted(standbys, 'standby follows', 'standbys follow')} it${lags}.`
  return [
    (lag ?? 0) > 60 || (behind ?? 0) > farBehind
      ? warn(check, finding, 'Check the disk and the network of the standby.')
      : ok(check, finding),
  ]
}

/** Checks whether the server has found corrupt pages, and whether rows refer to missing rows. */
export async function integrityFindings(
  connection: Connection,
  tables: readonly string[],
): Promise<Finding[]> {
  const pages = rowOf(
    await connection.ask<{ checked: boolean; failures: number }>(`
    SELECT current_setting('data_checksums') = 'on' AS checked,
      coalesce(checksum_failures, 0) AS failures
    FROM pg_stat_database WHERE datname = current_database()`),
  )
  const faults = await orphansIn(connection, await foreignKeysIn(connection))
  if (pages.failures > 0)
    faults.push(
      `The server found ${counted(pages.failures, 'page')} that ${pages.failures === 1 ? 'is' : 'are'} damaged.`,
    )
  if (faults.length > 0)
    return [
      fail(
        'integrity',
        `The database is damaged. ${faults.join(' ')}`,
        'Stop the app, keep a copy of the data of the database server, and restore the last good backup. Have the disk and the memory checked.',
      ),
    ]
  const extent = pages.checked
    ? 'each page is checked as it is read'
    : 'the server keeps no checksums of pages'
  return [
    ok(
      'integrity',
      `Every row of ${counted(tables.length, 'table')} has the rows that it refers to; ${extent}.`,
    ),
  ]
}
