import { migrations } from './database.ts'

/** The tables created by the migrations: all of them grow with the number of users. */
const growing = new Set(
  migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?["`]?(\w+)/gi)].map(([, name]) => name),
  ),
)

/** Whether a name in a statement's plan is such a table, or the statement's alias for one. */
export function isGrowingTable(name: string, sql: string): boolean {
  if (name === '') return false
  const [, table = name] = new RegExp(`\\b(?:FROM|JOIN) (\\w+)(?: AS)? ${name}\\b`).exec(sql) ?? []
  return growing.has(table)
}
