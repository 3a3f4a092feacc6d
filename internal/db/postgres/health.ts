import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Db } from '../db.ts'
import type { Inspection } from '../health.ts'
import { healthOn } from '../server/health.ts'
import { rightsFindings } from '../server/rights.ts'
import { addresses, serverOf } from './address.ts'
import { advices } from './advice.ts'
import { Connection } from './connection.ts'
import { integrityFindings, serverFindings } from './findings.ts'
import { sequenceFindings } from './schema/sequences.ts'
import { dbOf } from './statements.ts'
import { tableNames } from './schema/tables.ts'

export const health = healthOn({ addresses, open, hasTable })

async function open(database: DatabaseAddress): Promise<Inspection> {
  const url = serverOf(database)
  const connection = await Connection.open(url)
  // Not behind a pooler: it gives the session to the servers afterwards, which could then write nothing.
  if (url.prepare) await connection.script('SET default_transaction_read_only = on')
  return {
    db: dbOf(connection),
    findings: async () => [
      ...(await serverFindings(connection, url)),
      ...(await rightsFindings(
        () => Connection.open(url),
        { schema: 'current_schema()', tables: await tableNames(connection) },
        advices,
      )),
      ...(await sequenceFindings(connection)),
    ],
    integrity: async () => integrityFindings(connection, await tableNames(connection)),
    close: () => connection.end(),
  }
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const found = await db.first`
    SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`
  return found !== undefined
}
