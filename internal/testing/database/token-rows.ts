import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import type { AccessToken } from '../../db/tokens.ts'

/** Gives an account API tokens that nobody knows. */
export async function addTokens(
  db: Db,
  { userId, count, at }: { userId: number; count: number; at: Date },
): Promise<void> {
  for (let n = 1; n <= count; n++)
    await db.run`
      INSERT INTO access_tokens (user_id, hash, name, abilities, created_at)
      VALUES (${userId}, ${randomBytes(32)}, ${`Token ${n}`}, '["user:read"]', ${at})`
}

/** Makes reading API tokens fail from now on, until `showTokens`. */
export async function hideTokens(db: Db): Promise<void> {
  await db.run`ALTER TABLE access_tokens RENAME TO hidden_tokens`
}

export async function showTokens(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_tokens RENAME TO access_tokens`
}

/** Revokes all API tokens. */
export async function deleteTokens(db: Db): Promise<void> {
  await db.run`DELETE FROM access_tokens`
}

/** Returns the API tokens, oldest first. */
export function allTokens(db: Db): Promise<AccessToken[]> {
  return db.all<AccessToken>`SELECT * FROM access_tokens ORDER BY id`
}
