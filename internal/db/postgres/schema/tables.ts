import type { Connection } from '../connection.ts'

/** Returns the names of all tables in the schema, whoever created them. */
export async function tableNames(connection: Connection): Promise<string[]> {
  const rows = await connection.ask<{ tablename: string }>(`
    SELECT tablename FROM pg_catalog.pg_tables
    WHERE schemaname = current_schema() ORDER BY tablename`)
  return rows.map(({ tablename }) => tablename)
}
