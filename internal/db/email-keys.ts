import type { Db, Tx } from './db.ts'
import type { User } from './users.ts'

/** The keys of emails, as versions of the service have made them. In words that each of the databases understands. */
export const emailKeys = {
  /** Those of some users with a greater ID than `after`, in the order of their IDs. */
  list: (db: Db, { after, most }: { after: number; most: number }) =>
    db.all<Pick<User, 'id' | 'email' | 'emailKey'>>`
      SELECT id, email, email_key FROM users WHERE id > ${after} ORDER BY id LIMIT ${most}`,

  /** Keeps another key of the same email. False when it is not `from` any more, or another account has it. */
  replace: async (tx: Tx, { id, from, to }: { id: number; from: string; to: string }) =>
    (await tx.run`
      UPDATE users SET email_key = ${to}
      WHERE id = ${id} AND email_key = ${from}
        AND NOT EXISTS (SELECT 1 FROM (SELECT id FROM users WHERE email_key = ${to}) AS others)`) ===
    1,
}
