import type { Db, Value } from '../db.ts'
import type { Answer } from '../server/answer.ts'
import { refuseForgotten } from '../statement.ts'
import type { Statement } from './connection/client.ts'
import type { Connection } from './connection.ts'

/** Runs a statement on a connection. */
export async function runStatement<Row>(
  connection: Connection,
  sql: TemplateStringsArray,
  values: readonly Value[],
): Promise<Answer<Row>> {
  const { text } = statementOf(sql, values)
  return connection.ask(text, values)
}

/** Throws for `undefined` and other forgotten values. */
export function statementOf(sql: TemplateStringsArray, values: readonly Value[]): Statement {
  for (const [at, value] of values.entries()) refuseForgotten(value, at, sql)
  return { text: sql.join('?'), values }
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
