import type { Db } from '../../db/db.ts'

/** Returns the rows stored for accounts, except logins, throttles and the cache. */
export function rowsOfAccounts(db: Db): Promise<unknown[][]> {
  return Promise.all([
    db.all`SELECT * FROM users`,
    db.all`SELECT * FROM passkeys`,
    db.all`SELECT * FROM access_tokens`,
    db.all`SELECT * FROM browsers`,
    db.all`SELECT * FROM notifications`,
    // Except jobs that delete a file: a photo may be written before its account is checked, and such a job removes it.
    db.all`SELECT * FROM jobs WHERE name <> 'delete-file'`,
    db.all`SELECT * FROM sessions`,
    db.all`SELECT * FROM broadcasts`,
  ])
}
