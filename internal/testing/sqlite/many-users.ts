import type { Db } from '../../db/db.ts'

interface Many {
  /** How many, numbered from 1. */
  readonly users: number
  readonly hash: string
  readonly now: Date
  readonly endsAt: Date
  /** The hash of the browser that each has. */
  readonly browser: Uint8Array
}

/** Puts users into an empty database, each verified, with one login and one browser. */
export async function addUsers(db: Db, { users, hash, now, endsAt, browser }: Many): Promise<void> {
  await db.run`
    INSERT INTO users (name, email, email_key, email_verified_at, password_hash, created_at)
    WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${users})
    SELECT 'User ' || n, 'user' || n || '@example.com', 'user' || n || '@example.com', ${now}, ${hash}, ${now}
    FROM numbers`
  // In the order of the key: a random order takes five times as long.
  await db.run`
    INSERT INTO logins (key, user_id, user_agent, address, remember, logged_in_at, last_seen_at, ends_at)
    SELECT randomblob(32) AS key, id, 'Mozilla/5.0', '192.0.2.1', 0, ${now}, ${now}, ${endsAt}
    FROM users ORDER BY key`
  await db.run`
    INSERT INTO browsers (user_id, hash, last_login_at)
    SELECT id, ${browser}, ${now} FROM users`
}
