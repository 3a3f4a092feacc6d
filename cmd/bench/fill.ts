import { makeAccessToken } from '../../internal/base/crypto/access-token.ts'
import { openDatabase } from '#db/driver'
import { makeLog } from '../../internal/base/log.ts'
import { makePasswords } from '../../internal/base/password/password.ts'
import type { DatabaseAddress } from '../../internal/base/settings/config.ts'
import { sha256 } from '../../internal/base/crypto/random.ts'

const log = makeLog({ level: 'error', format: 'text', write: () => {}, now: () => new Date() })

/** The service's own: @node-rs/argon2 and the queue before it. */
export const passwords = await makePasswords({ log })

export const password = 'correct horse battery'

/** The browser that every user of a bench logs in from, so that no login is one to tell of. */
export const browserId = 'a'.repeat(26)

/** Email of a user that `fill` made; they are numbered from 1. */
export function emailOf(user: number): string {
  return `user${user}@example.com`
}

/** Puts users into an empty database, each verified, with the same password, one login and one browser. */
export async function fill(database: DatabaseAddress, users: number): Promise<void> {
  const hash = await passwords.hashPassword(password, '')
  const now = new Date()
  const endsAt = new Date(now.getTime() + 60 * 60 * 1000)
  const db = await openDatabase(database)
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
    SELECT id, ${sha256(browserId)}, ${now} FROM users`
  await db.close()
}

/** Makes so many API tokens that read the user, of the first thousand users in turn, and returns them. */
export async function addTokens(database: string, tokens: number): Promise<readonly string[]> {
  const made = Array.from({ length: tokens }, makeAccessToken)
  const db = await openDatabase({ file: database })
  await db.transaction(async (tx) => {
    for (const [at, token] of made.entries()) {
      await tx.run`
        INSERT INTO access_tokens (user_id, hash, name, abilities, created_at)
        VALUES (${1 + (at % 1000)}, ${sha256(token)}, 'Bench', '["user:read"]', ${new Date()})`
    }
  })
  await db.close()
  return made
}
