import type { Db, Value } from '../../db/db.ts'

/** Returns how many rows a server reads for a statement, as reported by the server after running it. */
export async function rowsRead(
  db: Db,
  [first = '', ...rest]: TemplateStringsArray,
  values: readonly Value[],
): Promise<number> {
  const sql = [`EXPLAIN ANALYZE ${first}`, ...rest]
  const lines = await db.all<object>(Object.assign(sql, { raw: sql }), ...values)
  const report = lines.flatMap((line) => Object.values(line)).join('\n')
  let [read, loops] = [0, 1]
  for (const [, rows, times, removed] of report.matchAll(
    /\(actual [^)]*rows=([\d.]+) loops=(\d+)\)|Rows Removed by Filter: (\d+)/g,
  )) {
    if (times !== undefined) loops = Number(times)
    read += Number(rows ?? removed) * loops
  }
  return read
}
