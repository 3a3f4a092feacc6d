import type { Connection } from './connection.ts'

/** What of a migration stands that stopped half-way; no part of what is kept. */
export const underWay = 'migration_under_way'

/** What is to be made again besides tables; no part of what is kept. */
export const objectsToMake = 'objects_to_make'

/** The names of all tables of the database but the two above, whoever made them. */
export async function tableNames(connection: Connection): Promise<string[]> {
  const found = await connection.ask<{ name: string }>(
    `
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'
      AND table_name NOT IN (?, ?)
    ORDER BY table_name`,
    [underWay, objectsToMake],
  )
  return found.map(({ name }) => name)
}
