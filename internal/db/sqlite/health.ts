import { statSync } from 'node:fs'
import type { Db, Value } from '../db.ts'
import { alike } from '../alike/health.ts'
import type { Health, Inspection, InspectionOutcome } from '../health.ts'
import { DatabaseDamaged } from '../snapshot.ts'
import { addresses, fileOf } from './address.ts'
import { openToInspect, type Connection } from './connection.ts'
import {
  closedFile,
  fileFindings,
  folderFinding,
  foreignFile,
  integrityFindings,
  noFile,
  orphanedLogFinding,
  unwritableFile,
} from './file/findings.ts'
import { orphanedLog } from './file/make-file.ts'
import { Statements } from './connection/rows.ts'
import { foreignTable } from './schema/tables.ts'
import { timeIn } from './connection/times.ts'
import { unwritable } from './file/unwritable.ts'

export const health: Health = {
  inspect: async (database) => {
    const path = fileOf(database)
    try {
      const log = orphanedLog(path)
      if (log !== undefined) return { result: 'closed', finding: orphanedLogFinding(path, log) }
      if (!(await addresses.isThere(database))) return { result: 'none', finding: noFile(path) }
      if (statSync(path).isDirectory()) return { result: 'closed', finding: folderFinding(path) }
      const fault = unwritable(path)
      if (fault !== undefined) return { result: 'closed', finding: unwritableFile(fault) }
      return inspectFile(path)
    } catch (error) {
      return { result: 'closed', finding: closedFile(path, error) }
    }
  },

  ...alike(hasTable),

  lastWritten: async (db) => {
    const rows = await db.all<{ at: string | null }>`
      SELECT max(created_at) AS at FROM users
      UNION ALL SELECT max(last_seen_at) FROM logins
      UNION ALL SELECT max(created_at) FROM notifications
      UNION ALL SELECT max(created_at) FROM jobs
      UNION ALL SELECT max(ran_at) FROM migrations`
    // The result of max() has no declared type, so it is text rather than a time.
    const latest = rows
      .flatMap(({ at }) => at ?? [])
      .toSorted()
      .at(-1)
    const time = timeIn(latest)
    if (latest !== undefined && !time)
      throw new DatabaseDamaged([`The latest time in the database is none: ${latest}.`])
    return time
  },
}

function inspectFile(path: string): InspectionOutcome {
  const connection = openToInspect(path)
  let foreign: string | undefined
  try {
    // The first read of the file: opening it reads nothing, and so detects no errors.
    foreign = foreignTable(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  if (foreign !== undefined) {
    connection.close()
    return { result: 'foreign', finding: foreignFile(path, foreign) }
  }
  return { result: 'open', inspection: inspectionBy(connection, path) }
}

function inspectionBy(connection: Connection, path: string): Inspection {
  return {
    db: readingDb(connection),
    findings: async () => fileFindings(path, connection),
    integrity: async () => integrityFindings(path, connection),
    close: async () => void connection.close(),
  }
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const table = await db.first`
    SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ${name}`
  return table !== undefined
}

function readingDb(connection: Connection): Db {
  const statements = new Statements(connection)
  return {
    first: async <Row>(sql: TemplateStringsArray, ...values: Value[]) =>
      statements.of(sql).first(values) as Row | undefined,
    all: async <Row>(sql: TemplateStringsArray, ...values: Value[]) =>
      statements.of(sql).all(values) as Row[],
    run: async (sql, ...values) => statements.of(sql).run(values),
  }
}
