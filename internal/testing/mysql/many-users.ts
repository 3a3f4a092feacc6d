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
  // Some at a time: no statement may take longer than a few seconds.
  for (let from = 1; from <= users; from += 10_000) {
    const length = Math.min(10_000, users - from + 1)
    const numbers = JSON.stringify(Array.from({ length }, (_, n) => from + n))
    await db.run`
      INSERT INTO users (name, email, email_key, email_verified_at, password_hash, created_at)
      SELECT concat('User ', n), concat('user', n, '@example.com'), concat('user', n, '@example.com'),
        ${now}, ${hash}, ${now}
      FROM JSON_TABLE(${numbers}, '$[*]' COLUMNS (n BIGINT PATH '$')) AS numbers`
  }
  await db.run`
    INSERT INTO logins
      ("key", user_id, user_agent, address, remember, logged_in_at, last_seen_at, ends_at)
    SELECT random_bytes(32), id, 'Mozilla/5.0', '192.0.2.1', FALSE, ${now}, ${now}, ${endsAt}
    FROM users`
  await db.run`
    INSERT INTO browsers (user_id, hash, last_login_at)
    SELECT id, ${browser}, ${now} FROM users`
}
