import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Db } from '../db.ts'
import type { Inspection } from '../health.ts'
import { healthOn } from '../server/health.ts'
import { rightsFindings } from '../server/rights.ts'
import { addresses, serverOf } from './address.ts'
import { advices } from './advice.ts'
import { Connection } from './connection.ts'
import { integrityFindings, serverFindings } from './findings.ts'
import { dbOf } from './statements.ts'
import { tableNames } from './schema/tables.ts'

export const health = healthOn({ addresses, open, hasTable })

async function open(database: DatabaseAddress): Promise<Inspection> {
  const url = serverOf(database)
  const connection = await Connection.open(url)
  await connection.script('SET SESSION transaction_read_only = ON')
  return {
    db: dbOf(connection),
    findings: async () => [
      ...(await serverFindings(connection, url)),
      ...(await rightsFindings(
        () => Connection.open(url),
        { schema: 'DATABASE()', tables: await tableNames(connection) },
        advices,
      )),
    ],
    integrity: async () => integrityFindings(connection, await tableNames(connection)),
    close: () => connection.end(),
  }
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const found = await db.first`
    SELECT 1 FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name = ${name}`
  return found !== undefined
}
