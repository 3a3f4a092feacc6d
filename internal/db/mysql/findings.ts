import { fail, ok, type Finding } from '../../base/finding.ts'
import { counted, sizeOf } from '../../base/text/printed-sizes.ts'
import { check, clockFinding, connectionsFinding, tlsFinding } from '../server/findings.ts'
import { rowOf } from '../server/answer.ts'
import { quoted } from '../statement.ts'
import { orphansIn } from '../server/soundness.ts'
import type { ServerUrl } from '../server/url.ts'
import type { Connection } from './connection.ts'
import { foreignKeysIn } from './schema/columns.ts'
import { standbyFindings } from './standby-findings.ts'

interface Facts {
  readonly size: number | null
  readonly most: number
  readonly flush: number
  readonly doublewrite: string
  readonly binlog: boolean | number
  readonly syncBinlog: number
  readonly readsOnly: boolean | number
  /** Whether new connections are read-only by default: this one has made itself so. */
  readonly onlyReads: boolean | number
  readonly clock: Date
}

/** Checks the server: version, TLS, connections, durability in a power cut, standbys and clock. */
export async function serverFindings(connection: Connection, url: ServerUrl): Promise<Finding[]> {
  const askedAt = Date.now()
  const facts = rowOf(
    await connection.ask<Facts>(`
    SELECT
      (SELECT sum(data_length + index_length) FROM information_schema.tables
        WHERE table_schema = DATABASE()) AS size,
      @@max_connections AS most, @@innodb_flush_log_at_trx_commit AS flush,
      @@innodb_doublewrite AS doublewrite, @@log_bin AS binlog, @@sync_binlog AS sync_binlog,
      @@read_only AS reads_only, @@GLOBAL.transaction_read_only AS only_reads,
      UTC_TIMESTAMP(6) AS clock`),
  )
  const answeredAt = Date.now()
  const used = Number(await statusOf(connection, 'GLOBAL', 'Threads_connected'))
  const tls = await statusOf(connection, 'SESSION', 'Ssl_version')
  return [
    ok(check, `MySQL ${connection.version} answers; the database has ${sizeOf(facts.size ?? 0)}.`),
    tlsFinding(tls === '' ? null : tls, url),
    connectionsFinding({ used, most: facts.most }, url),
    ...durabilityFindings(facts),
    ...(await standbyFindings(connection, facts)),
    clockFinding(facts.clock.getTime() - (askedAt + answeredAt) / 2),
  ]
}

async function statusOf(connection: Connection, scope: string, name: string): Promise<string> {
  const [[, value] = []] = await connection.rows(`SHOW ${scope} STATUS LIKE '${name}'`)
  return typeof value === 'string' ? value : ''
}

function durabilityFindings({ flush, doublewrite, binlog, syncBinlog }: Facts): Finding[] {
  const unsafe = [
    ...(flush === 1 ? [] : [`innodb_flush_log_at_trx_commit=${flush}`]),
    ...(doublewrite === 'OFF' ? ['innodb_doublewrite=OFF'] : []),
    ...(binlog && syncBinlog !== 1 ? [`sync_binlog=${syncBinlog}`] : []),
  ]
  if (unsafe.length === 0) return []
  return [
    fail(
      check,
      `The database server has ${unsafe.join(', ')}: a power cut loses acknowledged changes, or the whole database.`,
      'Set them to 1, ON and 1 in its configuration, which are the defaults.',
    ),
  ]
}

/** Checks whether tables are damaged, and whether rows refer to missing rows. */
export async function integrityFindings(
  connection: Connection,
  tables: readonly string[],
): Promise<Finding[]> {
  const faults = await orphansIn(connection, await foreignKeysIn(connection))
  for (const table of tables)
    for (const [, , messageType, text] of await connection.rows(`CHECK TABLE ${quoted(table)}`))
      if (messageType !== 'status' || text !== 'OK')
        faults.push(`The table ${table}: ${String(text)}.`)
  if (faults.length > 0)
    return [
      fail(
        'integrity',
        `The database is damaged. ${faults.join(' ')}`,
        'Stop the app, keep a copy of the data of the database server, and restore the last good backup. Have the disk and the memory checked.',
      ),
    ]
  return [
    ok(
      'integrity',
      `Every row of ${counted(tables.length, 'table')} has the rows that it refers to; the server found no damaged page.`,
    ),
  ]
}
