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

/** The service's own password hashing, with its queue. */
export const passwords = await makePasswords({ log })

export const password = 'correct horse battery'

/** The browser from which every user logs in, so that no login causes a new-browser notification. */
export const browserId = 'a'.repeat(26)

/** Returns the email of a user created by `fill`; they are numbered from 1. */
export function emailOf(user: number): string {
  return `user${user}@example.com`
}

/** How to access a kind of database directly rather than through the service. */
export interface DatabaseAccess {
  readonly openDatabase: (address: DatabaseAddress) => Promise<Database>
  readonly addUsers: typeof addUsers
  readonly broadcasts: Broadcasts
}

export const ownAccess: DatabaseAccess = { openDatabase, addUsers, broadcasts }

/**
 * Adds users to an empty database, each verified, with the same password, one login and one browser. `hashing`: the
 * hash settings, if the service over it uses other than the usual ones.
 */
export async function fill(
  database: DatabaseAddress,
  users: number,
  access = ownAccess,
  hashing?: Argon2id,
): Promise<void> {
  const hasher = hashing ? await makePasswords({ log, ours: hashing }) : passwords
  const hash = await hasher.hashPassword(password, '')
  const now = new Date()
  const endsAt = new Date(now.getTime() + 60 * 60 * 1000)
  const db = await access.openDatabase(database)
  await access.addUsers(db, { users, hash, now, endsAt, browser: sha256(browserId) })
  await db.close()
}
