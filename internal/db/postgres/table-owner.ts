import { quoted } from '../statement.ts'
import type { Connection } from './connection.ts'

interface TableOwner {
  readonly owner: string
  readonly user: string
  readonly mayActForOwner: boolean
}

/**
 * The role that the tables belong to; undefined where that is the user itself, or no table is there. Throws where the
 * user may not act for that role: the tables that it made in place of these would be closed to those who use them.
 */
export async function otherOwner(connection: Connection): Promise<string | undefined> {
  // Of one that every database has: tables of others may stand beside.
  const [found] = await connection.ask<TableOwner>(`
    SELECT tableowner AS owner, current_user AS user,
      pg_has_role(tableowner, 'USAGE') AND pg_has_role(tableowner, 'SET')
        AND pg_has_role(session_user, tableowner, 'SET') AS may_act_for_owner
    FROM pg_catalog.pg_tables
    WHERE schemaname = current_schema() AND tablename = 'migrations'
      AND tableowner <> current_user`)
  if (!found) return undefined
  if (!found.mayActForOwner) {
    const [owner, user] = [quoted(found.owner), quoted(found.user)]
    throw new Error(
      `The tables belong to ${owner}, and ${user} may not make new ones for it: to restore, set DB_URL to the user ${owner}, or to a superuser.`,
    )
  }
  return found.owner
}
