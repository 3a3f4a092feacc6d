import type { Db, Tx } from './db.ts'
import type { User } from './users.ts'

/**
 * The keys that emails are looked up by, as older versions of the service may have made them otherwise. The statements
 * are ones that every database understands.
 */
export const emailKeys = {
  /** The keys of at most `most` users whose ID is greater than `after`, in the order of their IDs. */
  list: (db: Db, { after, most }: { after: number; most: number }) =>
    db.all<Pick<User, 'id' | 'email' | 'emailKey'>>`
      SELECT id, email, email_key FROM users WHERE id > ${after} ORDER BY id LIMIT ${most}`,

  /**
   * Replaces the key `from` of a user's email by `to`. False when it is not `from` any more, or another account has
   * `to`.
   */
  replace: async (tx: Tx, { id, from, to }: { id: number; from: string; to: string }) =>
    (await tx.run`
      UPDATE users SET email_key = ${to}
      WHERE id = ${id} AND email_key = ${from}
        AND NOT EXISTS (SELECT 1 FROM (SELECT id FROM users WHERE email_key = ${to}) AS others)`) ===
    1,
}
