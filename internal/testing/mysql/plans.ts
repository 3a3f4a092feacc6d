import type { DatabaseAddress } from '../../base/settings/config.ts'
import { isGrowingTable } from '../database/growing-tables.ts'
import type { Db, Value } from '../../db/db.ts'

interface Step {
  readonly selectType: string
  readonly table: string | null
  readonly type: string | null
  readonly key: string | null
}

/** Returns the steps of MySQL's plan for a statement that read a whole table or index. */
export async function fullScans(
  db: Db,
  [first = '', ...rest]: TemplateStringsArray,
  values: readonly Value[],
): Promise<string[]> {
  const sql = [`EXPLAIN FORMAT=TRADITIONAL ${first}`, ...rest]
  const steps = await db.all<Step>(Object.assign(sql, { raw: sql }), ...values)
  return steps
    .filter(
      ({ selectType, table }) =>
        selectType !== 'INSERT' && isGrowingTable(table ?? '', sql.join('?')),
    )
    .filter(({ type }) => type === 'ALL' || type === 'index')
    .map(({ table, type, key }) => `${type} of ${table}${key === null ? '' : `, by ${key}`}`)
}

/** Does nothing: MySQL has no such setting, and plans by the content of tables. */
export const preferIndexes: (address: DatabaseAddress) => Promise<void> = async () => {}

/** Updates the server's statistics of jobs. */
export async function analyzeJobs(db: Db): Promise<void> {
  await db.run`ANALYZE TABLE jobs`
}
