import type { Db } from '../db/db.ts'

/** All that is kept of accounts, but how often something was tried and who is logged in. */
export function keptOfAccounts(db: Db): Promise<unknown[][]> {
  return Promise.all([
    db.all`SELECT * FROM users`,
    db.all`SELECT * FROM passkeys`,
    db.all`SELECT * FROM access_tokens`,
    db.all`SELECT * FROM browsers`,
    db.all`SELECT * FROM notifications`,
    // A file that was written before its account was looked at is deleted by a job.
    db.all`SELECT * FROM jobs WHERE name <> 'delete-file'`,
    db.all`SELECT * FROM sessions`,
    db.all`SELECT * FROM broadcasts`,
  ])
}
