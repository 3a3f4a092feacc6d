import type { Finding } from '../../base/finding.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Db } from '../db.ts'
import type { Inspection } from '../health.ts'
import { healthOn, inspectionPatience as patience } from '../server/health.ts'
import { rightsFindings } from '../server/rights.ts'
import type { ServerUrl } from '../server/url.ts'
import { quoted } from '../statement.ts'
import { addresses, serverOf } from './address.ts'
import { advices } from './advice.ts'
import { Connection } from './connection.ts'
import { integrityFindings, serverFindings } from './findings.ts'
import { dbOf } from './statements.ts'
import { tableNames } from './schema/tables.ts'

export const health = healthOn({ addresses, open, hasTable })

async function open(database: DatabaseAddress): Promise<Inspection> {
  const url = serverOf(database)
  const connection = await Connection.open(url, { patience })
  await connection.script('SET SESSION transaction_read_only = ON')
  return {
    db: dbOf(connection),
    findings: async () => [
      ...(await serverFindings(connection, url)),
      ...(await rightsFindings(
        () => Connection.open(url, { patience }),
        { schema: 'DATABASE()', tables: await tableNames(connection) },
        advices,
      )),
    ],
    integrity: () => integrityAt(url),
    close: () => connection.end(),
  }
}

/** Checks the integrity for as long as that takes, but does not wait for tables that are locked already. */
async function integrityAt(url: ServerUrl): Promise<Finding[]> {
  const connection = await Connection.open(url)
  try {
    await connection.script('SET SESSION transaction_read_only = ON')
    const tables = await tableNames(connection)
    await refuseLocked(connection, tables)
    return await integrityFindings(connection, tables)
  } finally {
    await connection.end()
  }
}

/** Throws if a table stays locked. Without the limit afterwards: `CHECK TABLE` would report a wait as damage. */
async function refuseLocked(connection: Connection, tables: readonly string[]): Promise<void> {
  await connection.script(`SET SESSION lock_wait_timeout = ${patience / 1000}`)
  for (const table of tables) await connection.script(`SELECT 1 FROM ${quoted(table)} LIMIT 1`)
  await connection.script('SET SESSION lock_wait_timeout = DEFAULT')
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const found = await db.first`
    SELECT 1 FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name = ${name}`
  return found !== undefined
}
