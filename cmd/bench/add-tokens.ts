import { makeAccessToken } from '../../internal/base/crypto/access-token.ts'
import { sha256 } from '../../internal/base/crypto/random.ts'
import type { DatabaseAddress } from '../../internal/base/settings/config.ts'
import { ownAccess } from '../../internal/testing/database/fill-database.ts'

/** Creates `count` API tokens with `user:read` for the first thousand users in turn, and returns them. */
export async function addTokens(
  database: DatabaseAddress,
  count: number,
  behind = ownAccess,
): Promise<readonly string[]> {
  const tokens = Array.from({ length: count }, makeAccessToken)
  const db = await behind.openDatabase(database)
  await db.transaction(async (tx) => {
    for (const [at, token] of tokens.entries()) {
      await tx.run`
        INSERT INTO access_tokens (user_id, hash, name, abilities, created_at)
        VALUES (${1 + (at % 1000)}, ${sha256(token)}, 'Bench', '["user:read"]', ${new Date()})`
    }
  })
  await db.close()
  return tokens
}
