import { broadcasts } from '#db/broadcasts'
import { openDatabase } from '#db/driver'
import { addUsers } from '#testing/many-users'
import type { Broadcasts } from '../../db/broadcasts.ts'
import type { Database } from '../../db/db.ts'
import { makeLog } from '../../base/log.ts'
import { makePasswords } from '../../base/password/password.ts'
import type { Argon2id } from '../../base/password/phc.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { sha256 } from '../../base/crypto/random.ts'

const log = makeLog({ level: 'error', format: 'text', write: () => {}, now: () => new Date() })

/** The service's own hashing of passwords, with its queue. */
export const passwords = await makePasswords({ log })

export const password = 'correct horse battery'

/** The browser that every user logs in from, so that no login causes a notification of a new browser. */
export const browserId = 'a'.repeat(26)

/** Email of a user that `fill` made; they are numbered from 1. */
export function emailOf(user: number): string {
  return `user${user}@example.com`
}

/** How a kind of database is read and written directly, not through the service. */
export interface Behind {
  readonly openDatabase: (address: DatabaseAddress) => Promise<Database>
  readonly addUsers: typeof addUsers
  readonly broadcasts: Broadcasts
}

export const project: Behind = { openDatabase, addUsers, broadcasts }

/**
 * Puts users into an empty database, each verified, with the same password, one login and one browser. `hashing`:
 * what its hash costs, where the service over it makes others than usual.
 */
export async function fill(
  database: DatabaseAddress,
  users: number,
  behind = project,
  hashing?: Argon2id,
): Promise<void> {
  const by = hashing ? await makePasswords({ log, ours: hashing }) : passwords
  const hash = await by.hashPassword(password, '')
  const now = new Date()
  const endsAt = new Date(now.getTime() + 60 * 60 * 1000)
  const db = await behind.openDatabase(database)
  await behind.addUsers(db, { users, hash, now, endsAt, browser: sha256(browserId) })
  await db.close()
}
