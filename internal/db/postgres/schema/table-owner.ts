import { quoted } from '../../statement.ts'
import type { Connection } from '../connection.ts'

interface TableOwner {
  readonly owner: string
  readonly user: string
  readonly mayActForOwner: boolean
}

/**
 * Returns the role that owns the tables; undefined if that is the user, or there are no tables. Throws if the user may
 * not act for that role: the new tables would then be inaccessible to those who use the old ones.
 */
export async function otherOwner(connection: Connection): Promise<string | undefined> {
  // Checks one table that every database has: other programs' tables may exist beside it.
  const [table] = await connection.ask<TableOwner>(`
    SELECT tableowner AS owner, current_user AS user,
      pg_has_role(tableowner, 'USAGE') AND pg_has_role(tableowner, 'SET')
        AND pg_has_role(session_user, tableowner, 'SET') AS may_act_for_owner
    FROM pg_catalog.pg_tables
    WHERE schemaname = current_schema() AND tablename = 'migrations'
      AND tableowner <> current_user`)
  if (!table) return undefined
  if (!table.mayActForOwner) {
    const [owner, user] = [quoted(table.owner), quoted(table.user)]
    throw new Error(
      `The tables belong to ${owner}, and ${user} may not make new ones for it: to restore, set DB_URL to the user ${owner}, or to a superuser.`,
    )
  }
  return table.owner
}
