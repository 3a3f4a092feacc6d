import type { Finding } from '../../base/finding.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Db } from '../db.ts'
import type { Inspection } from '../health.ts'
import { healthOn, inspectionPatience as patience } from '../server/health.ts'
import { rightsFindings } from '../server/rights.ts'
import { addresses, serverOf } from './address.ts'
import { advices } from './advice.ts'
import { Connection } from './connection.ts'
import { integrityFindings, serverFindings } from './findings.ts'
import { sequenceFindings } from './schema/sequences.ts'
import type { PostgresUrl } from './connection/url.ts'
import { dbOf } from './statements.ts'
import { tableNames } from './schema/tables.ts'

export const health = healthOn({ addresses, open, hasTable })

async function open(database: DatabaseAddress): Promise<Inspection> {
  const url = serverOf(database)
  const connection = await Connection.open(url, { patience })
  await setInspecting(connection, url)
  return {
    db: dbOf(connection),
    findings: async () => [
      ...(await serverFindings(connection, url)),
      ...(await rightsFindings(
        () => Connection.open(url, { patience }),
        { schema: 'current_schema()', tables: await tableNames(connection) },
        advices,
      )),
      ...(await sequenceFindings(connection)),
    ],
    integrity: () => integrityAt(url),
    close: () => connection.end(),
  }
}

/** Checks the integrity for as long as that takes, but does not wait for locks for long. */
async function integrityAt(url: PostgresUrl): Promise<Finding[]> {
  const connection = await Connection.open(url)
  try {
    await setInspecting(connection, url)
    return await integrityFindings(connection, await tableNames(connection))
  } finally {
    await connection.end()
  }
}

/** Does nothing behind a pooler: it gives the session to the servers afterwards, which could then write nothing. */
async function setInspecting(connection: Connection, { prepare }: PostgresUrl): Promise<void> {
  if (prepare)
    await connection.script(
      `SET default_transaction_read_only = on; SET lock_timeout = ${patience}`,
    )
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const found = await db.first`
    SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`
  return found !== undefined
}
