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
    SELECT 'User ' || n, 'user' || n || '@example.com', 'user' || n || '@example.com',
      ${now}::timestamptz, ${hash}::text, ${now}::timestamptz
    FROM generate_series(1, ${users}) AS n`
  await db.run`
    INSERT INTO logins (key, user_id, user_agent, address, remember, logged_in_at, last_seen_at, ends_at)
    SELECT sha256(uuid_send(gen_random_uuid())), id, 'Mozilla/5.0', '192.0.2.1', false,
      ${now}::timestamptz, ${now}::timestamptz, ${endsAt}::timestamptz
    FROM users`
  await db.run`
    INSERT INTO browsers (user_id, hash, last_login_at)
    SELECT id, ${browser}::bytea, ${now}::timestamptz FROM users`
}
