import { fail, type Finding } from '../../../base/finding.ts'
import { check } from '../../server/findings.ts'
import { quoted } from '../../statement.ts'
import type { Connection } from '../connection.ts'

interface Unread {
  /** Names the sequences, as the start of a sentence. */
  readonly finding: string
  /** The GRANT that makes them readable. */
  readonly grant: string
}

/**
 * Returns the tables' sequences that this user may not read; undefined if there are none. Their last ID would seem to
 * be missing, and IDs would be assigned again after a restore.
 */
export async function unreadSequences(connection: Connection): Promise<Unread | undefined> {
  const rows = await connection.ask<{ name: string; schema: string; user: string }>(`
    SELECT s.name, n.nspname AS schema, current_user AS user
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS s (name)
    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
      AND NOT has_sequence_privilege(s.name, 'SELECT, USAGE')
    ORDER BY s.name`)
  const [first] = rows
  if (!first) return undefined
  const names = rows.map(({ name }) => name).join(', ')
  return {
    finding: `The user in DB_URL may not read the sequences ${names}`,
    grant: `GRANT SELECT ON ALL SEQUENCES IN SCHEMA ${quoted(first.schema)} TO ${quoted(first.user)}`,
  }
}

/** Servers need no right to read sequences, but backups do. */
export async function sequenceFindings(connection: Connection): Promise<Finding[]> {
  const unread = await unreadSequences(connection)
  if (!unread) return []
  const { finding, grant } = unread
  return [fail(check, `${finding}: there can be no backup.`, `Have their owner run ${grant}.`)]
}
