import type { Db } from '../../db/db.ts'

interface ManyUsers {
  /** How many, numbered from 1. */
  readonly users: number
  readonly hash: string
  readonly now: Date
  readonly endsAt: Date
  /** The hash of every user's browser. */
  readonly browser: Uint8Array
}

/** Adds users to an empty database, each verified, with one login and one browser. */
export async function addUsers(
  db: Db,
  { users, hash, now, endsAt, browser }: ManyUsers,
): Promise<void> {
  await db.run`
    INSERT INTO users (name, email, email_key, email_verified_at, password_hash, created_at)
    WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${users})
    SELECT 'User ' || n, 'user' || n || '@example.com', 'user' || n || '@example.com', ${now}, ${hash}, ${now}
    FROM numbers`
  // In key order: a random order takes five times as long.
  await db.run`
    INSERT INTO logins (key, user_id, user_agent, address, remember, logged_in_at, last_seen_at, ends_at)
    SELECT randomblob(32) AS key, id, 'Mozilla/5.0', '192.0.2.1', 0, ${now}, ${now}, ${endsAt}
    FROM users ORDER BY key`
  await db.run`
    INSERT INTO browsers (user_id, hash, last_login_at)
    SELECT id, ${browser}, ${now} FROM users`
}

/**
 * Gives each existing user a notification, and a tenth of them a token, a passkey or a session; also adds as many
 * throttles, cache entries, events and failed jobs as a tenth of them.
 */
export async function addOtherRows(
  db: Db,
  { now, endsAt }: Pick<ManyUsers, 'now' | 'endsAt'>,
): Promise<void> {
  await db.run`
    INSERT INTO notifications (user_id, kind, data, created_at, read_at)
    SELECT id, 'new-login', '{}', ${now}, CASE WHEN id % 2 = 0 THEN ${now} END FROM users`
  await db.run`
    INSERT INTO access_tokens (user_id, hash, name, abilities, created_at)
    SELECT id, randomblob(32), 'Mine', '["user:read"]', ${now} FROM users WHERE id % 10 = 0`
  await db.run`
    INSERT INTO passkeys
      (user_id, credential_id, public_key, name, aaguid, backup_eligible, backed_up, created_at)
    SELECT id, randomblob(32), x'00', 'Mine', zeroblob(16), false, false, ${now}
    FROM users WHERE id % 10 = 1`
  await db.run`
    INSERT INTO sessions (key, user_id, payload, ends_at)
    SELECT randomblob(32), id, '', ${endsAt} FROM users WHERE id % 10 = 2`
  await db.run`
    INSERT INTO throttles (key, tries, ends_at)
    SELECT randomblob(32), 1, ${endsAt} FROM users WHERE id % 10 = 3`
  await db.run`
    INSERT INTO cache (key, value, ends_at)
    SELECT 'key-' || id, '{}', ${endsAt} FROM users WHERE id % 10 = 4`
  await db.run`
    INSERT INTO broadcasts (channel, event, created_at)
    SELECT 'users.' || id, 'notification', ${now} FROM users WHERE id % 10 = 5`
  await db.run`
    INSERT INTO jobs (name, payload, created_at, failed_at)
    SELECT 'ResetMail', '{"email":"' || email || '"}', ${now}, ${now}
    FROM users WHERE id % 10 = 6`
}
