import { makeAccessToken } from '../../internal/base/crypto/access-token.ts'
import { broadcasts } from '#db/broadcasts'
import { openDatabase } from '#db/driver'
import { addUsers } from '#testing/many-users'
import type { Broadcasts } from '../../internal/db/broadcasts.ts'
import type { Database } from '../../internal/db/db.ts'
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

/** What is done behind the service's back in a kind of database. */
export interface Behind {
  readonly openDatabase: (address: DatabaseAddress) => Promise<Database>
  readonly addUsers: typeof addUsers
  readonly broadcasts: Broadcasts
}

export const project: Behind = { openDatabase, addUsers, broadcasts }

/** Puts users into an empty database, each verified, with the same password, one login and one browser. */
export async function fill(
  database: DatabaseAddress,
  users: number,
  behind = project,
): Promise<void> {
  const hash = await passwords.hashPassword(password, '')
  const now = new Date()
  const endsAt = new Date(now.getTime() + 60 * 60 * 1000)
  const db = await behind.openDatabase(database)
  await behind.addUsers(db, { users, hash, now, endsAt, browser: sha256(browserId) })
  await db.close()
}

/** Makes so many API tokens that read the user, of the first thousand users in turn, and returns them. */
export async function addTokens(
  database: DatabaseAddress,
  tokens: number,
  behind = project,
): Promise<readonly string[]> {
  const made = Array.from({ length: tokens }, makeAccessToken)
  const db = await behind.openDatabase(database)
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
