import { foldCase } from '../../base/email.ts'
import { longestEmail, longestName } from '../../../web/contract/limits.ts'
import { users } from '#db/users'
import type { Db } from '../../db/db.ts'
import type { ListedUser } from '../../db/users.ts'

/** An account as the list of all accounts shows it. */
export interface Listed extends Omit<ListedUser, 'lastVisitAt' | 'lastLoginAt'> {
  /** As far back as logins and browsers are kept; null if not seen since. */
  readonly lastSeenAt: Date | null
}

// Read in batches: there may be a million.
const atOnce = 1000
// How many IDs are searched at once: a rare text in all of them may take longer than a statement may.
const span = 20_000

// A letter written with combining marks takes up to six UTF-16 units, which `length` counts.
const longest = 6 * Math.max(longestName, longestEmail)

/**
 * Yields the accounts in batches, newest first; with a `search`, those with it in name or email, in any case.
 */
export async function* listAccounts(db: Db, search = ''): AsyncGenerator<Listed[]> {
  // No name or email is that long, and databases limit the length of a pattern.
  if (search.length > longest) return
  const text = foldCase(search)
  const like = pattern(text)
  let before = (await users.lastId(db)) + 1
  while (before > 1) {
    const after = before - 1 - span
    const batch = await users.find(db, { after, before, like, most: atOnce })
    const matching = batch.filter(({ name, email }) =>
      [name, email].some((t) => foldCase(t).includes(text)),
    )
    if (matching.length > 0)
      yield await listByIds(
        db,
        matching.map(({ id }) => id),
      )
    before = batch.length === atOnce ? (batch.at(-1)?.id ?? 0) : after + 1
  }
}

/** Returns one account of the list; undefined if there is none with this ID. */
export async function oneListed(db: Db, id: number): Promise<Listed | undefined> {
  return (await listByIds(db, [id]))[0]
}

/** Returns a pattern that finds at least all matches: the database folds the case of ASCII letters only. */
function pattern(text: string): string {
  const literal = text.replace(/[!%_]/g, '!$&')
  // Other characters fold to these four too: `İ` (and a dot), the Kelvin sign, Greek question mark and varia.
  return `%${literal.replace(/(?:[^ -~]|[ik;`])+/g, '%')}%`
}

async function listByIds(db: Db, ids: readonly number[]): Promise<Listed[]> {
  return (await users.list(db, ids)).map(listed)
}

// Member by member, in the order in which programs get them from every database.
function listed({ lastVisitAt, lastLoginAt, ...user }: ListedUser): Listed {
  const { id, name, email, emailVerifiedAt, createdAt, twoFactor, password, passkeys } = user
  const lastSeenAt = later(lastVisitAt, lastLoginAt)
  const facts = { twoFactor, password, passkeys, lastSeenAt }
  return { id, name, email, emailVerifiedAt, createdAt, ...facts }
}

function later(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one > other ? one : other
}
