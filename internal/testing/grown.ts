import { migrations } from './database.ts'

/** The tables that the migrations make: each has the more rows the more people there are. */
const grown = new Set(
  migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?["`]?(\w+)/gi)].map(([, name]) => name),
  ),
)

/** Whether a name in the plan of a statement is one of them, or what the statement calls it. */
export function isGrown(name: string, sql: string): boolean {
  if (name === '') return false
  const [, called = name] = new RegExp(`\\b(?:FROM|JOIN) (\\w+)(?: AS)? ${name}\\b`).exec(sql) ?? []
  return grown.has(called)
}
