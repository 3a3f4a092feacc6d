import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Db, Value } from '../../db/db.ts'
import { alterDatabase } from './alter-database.ts'

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

/** Returns the steps of PostgreSQL's plan for a statement that read a whole table or index. */
export async function fullScans(
  db: Db,
  [first = '', ...rest]: TemplateStringsArray,
  values: readonly Value[],
): Promise<string[]> {
  const sql = [`EXPLAIN (FORMAT JSON) ${first}`, ...rest]
  const [row] = await db.all<Record<string, unknown>>(Object.assign(sql, { raw: sql }), ...values)
  const report = Object.values(row ?? {})[0]
  const plans = (typeof report === 'string' ? JSON.parse(report) : report) as { Plan: Node }[]
  return plans.flatMap(({ Plan }) => nodesOf(Plan)).flatMap(fullScan)
}

// In the one stands what is being run, of the other the first is taken.
const partialIndexes: ReadonlySet<string | undefined> = new Set(['jobs_claimed', 'jobs_due'])

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function fullScan(node: Node): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node
  if (type === 'Seq Scan') return [`Seq Scan of ${table}`]
  const isWhole =
    index !== undefined && node['Index Cond'] === undefined && !partialIndexes.has(index)
  return isWhole ? [`${type} of the whole of ${index}`] : []
}

/** Makes the server read a whole table only if no index fits, however few rows there are. */
export async function preferIndexes(address: DatabaseAddress): Promise<void> {
  await alterDatabase(address, 'enable_seqscan = off')
  // With few rows these joins would rather read a whole index.
  for (const join of ['mergejoin', 'hashjoin']) await alterDatabase(address, `enable_${join} = off`)
}

/** Updates the server's statistics of jobs. */
export async function analyzeJobs(db: Db): Promise<void> {
  await db.run`ANALYZE jobs`
}
