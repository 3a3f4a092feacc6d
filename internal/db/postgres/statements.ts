import type { Db, Value } from '../db.ts'
import type { Answer } from '../server/answer.ts'
import { refuseForgotten } from '../statement.ts'
import type { Connection } from './connection.ts'

// Keyed by the template object, which is the same each time a place in the code runs.
const cache = new WeakMap<TemplateStringsArray, string>()

/** Returns the statement's text with `$1`, `$2` … for its values. */
function textOf(sql: TemplateStringsArray): string {
  let text = cache.get(sql)
  if (text === undefined) {
    text = sql.reduce((joined, part, at) => `${joined}$${at}${part}`)
    cache.set(sql, text)
  }
  return text
}

/** Runs a statement on a connection. */
export async function runStatement<Row>(
  connection: Connection,
  sql: TemplateStringsArray,
  values: readonly Value[],
): Promise<Answer<Row>> {
  for (const [at, value] of values.entries()) refuseForgotten(value, at, sql)
  return connection.ask(textOf(sql), values)
}

/** Returns a `Db` for a connection on which nothing else runs. */
export function dbOf(connection: Connection): Db {
  return {
    first: async <Row>(sql: TemplateStringsArray, ...values: Value[]) =>
      (await runStatement<Row>(connection, sql, values))[0],
    all: async <Row>(sql: TemplateStringsArray, ...values: Value[]) =>
      Array.from(await runStatement<Row>(connection, sql, values)),
    run: async (sql, ...values) => (await runStatement(connection, sql, values)).count,
  }
}
