import type { Db, Tx } from './db.ts'
import type { User } from './users.ts'

/**
 * The lookup keys of emails, which older versions of the service may have derived differently. The statements run on
 * every database.
 */
export const emailKeys = {
  /** Returns the keys of at most `most` users with IDs greater than `after`, ordered by ID. */
  list: (db: Db, { after, most }: { after: number; most: number }) =>
    db.all<Pick<User, 'id' | 'email' | 'emailKey'>>`
      SELECT id, email, email_key FROM users WHERE id > ${after} ORDER BY id LIMIT ${most}`,

  /**
   * Replaces a user's email key `from` with `to`. Returns false if it is no longer `from`, or another account has
   * `to`.
   */
  replace: async (tx: Tx, { id, from, to }: { id: number; from: string; to: string }) =>
    (await tx.run`
      UPDATE users SET email_key = ${to}
      WHERE id = ${id} AND email_key = ${from}
        AND NOT EXISTS (SELECT 1 FROM (SELECT id FROM users WHERE email_key = ${to}) AS others)`) ===
    1,
}
