import type { Connection } from '../connection.ts'

/** The table that says at which statement a migration is, or stopped half-way. Not part of a snapshot. */
export const underWay = 'migration_under_way'

/** The table of the statements that recreate what a restore has dropped besides tables. Not part of a snapshot. */
export const objectsToMake = 'objects_to_make'

/** Returns the names of all tables of the database but the two above, whoever created them. */
export async function tableNames(connection: Connection): Promise<string[]> {
  const rows = await connection.ask<{ name: string }>(
    `
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'
      AND table_name NOT IN (?, ?)
    ORDER BY table_name`,
    [underWay, objectsToMake],
  )
  return rows.map(({ name }) => name)
}
