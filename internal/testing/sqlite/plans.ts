import type { DatabaseAddress } from '../../base/settings/config.ts'
import { isGrowingTable } from '../database/growing-tables.ts'
import type { Db, Value } from '../../db/db.ts'

/** Returns the steps of SQLite's plan for a statement that read a whole table or index. */
export async function fullScans(
  db: Db,
  [first = '', ...rest]: TemplateStringsArray,
  values: readonly Value[],
): Promise<string[]> {
  const sql = [`EXPLAIN QUERY PLAN ${first}`, ...rest]
  const steps = await db.all<{ detail: string }>(Object.assign(sql, { raw: sql }), ...values)
  return steps
    .map(({ detail }) => detail)
    .filter((detail) => isGrowingTable(/^SCAN (\w+)/.exec(detail)?.[1] ?? '', sql.join('?')))
}

/** Does nothing: SQLite prefers indexes whatever the tables contain. */
export const preferIndexes: (address: DatabaseAddress) => Promise<void> = async () => {}

/** Updates SQLite's statistics of jobs. */
export async function analyzeJobs(db: Db): Promise<void> {
  await db.run`ANALYZE jobs`
}
