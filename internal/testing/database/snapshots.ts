import { broadcasts } from '#db/broadcasts'
import { browsers } from '#db/browsers'
import { cache } from '#db/cache'
import { logins } from '#db/logins'
import { passkeys } from '#db/passkeys'
import { sessions } from '#db/sessions'
import { snapshots } from '#db/snapshot'
import { throttles } from '#db/throttles'
import { users } from '#db/users'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Database } from '../../db/db.ts'
import type { Migration } from '../../db/migrate.ts'
import type { Cells, LockedDatabase, Replacement, Snapshot } from '../../db/snapshot.ts'
import { addUser, ann, keyOf, loginOf } from './user-rows.ts'
import { later, migrations, noon } from './database.ts'
import { newPasskey } from './passkey-rows.ts'
import { addFailedJob, addPasskeysAndTokens, setTwoFactorStep, notifyAll } from './rows.ts'

/** Values that are hard to store exactly. The name contains several scripts, surrogate pairs, and line ends. */
export const hardValues = {
  name: '\u{1f469}\u200d\u{1f4bb} Zoë\u0301 "\\" \u2028\n\t\ufeff\u{10ffff} ',
  step: Number.MAX_SAFE_INTEGER,
  signCount: 2 ** 32 - 1,
  bytes: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  time: new Date('1970-01-01T00:00:00.001Z'),
  latest: new Date('9999-12-31T23:59:59.999Z'),
}

/** The photo key of an account added by `addToEveryTable`; no file is written for it. */
export const photoInEveryTable = `photos/${'a'.repeat(26)}.png`

/** Adds rows to every table, with values that are hard to store exactly, null, and an empty text. */
export async function addToEveryTable(db: Database): Promise<void> {
  const user = await addUser(db, {
    ...ann,
    name: hardValues.name,
    passwordHash: '',
    at: hardValues.time,
  })
  await addUser(db, { ...ann, email: 'b@x.test', emailKey: 'b@x.test' })
  await setTwoFactorStep(db, hardValues.step)
  await addPasskeysAndTokens(db, noon)
  await notifyAll(db, noon)
  await addFailedJob(db, { name: 'VerifyMail', error: hardValues.name, tries: 10, at: noon })
  const { id: userId } = user
  await db.transaction(async (tx) => {
    await users.setPhoto(tx, { id: userId, photo: photoInEveryTable })
    const passkey = {
      ...newPasskey(userId),
      publicKey: hardValues.bytes,
      signCount: hardValues.signCount,
    }
    await passkeys.insert(tx, { ...passkey, most: 10 })
    await logins.insert(tx, loginOf(user, 'a login'))
    await logins.insert(tx, {
      ...loginOf(user, 'another'),
      remember: false,
      endsAt: hardValues.latest,
    })
    await browsers.recordLogin(tx, { userId, hash: keyOf('a browser'), at: noon })
    await sessions.insert(tx, { key: keyOf('a session'), userId, payload: 'x', endsAt: noon })
    await sessions.insert(tx, { key: keyOf('b'), userId: null, payload: '', endsAt: noon })
    await broadcasts.insert(tx, { channel: 'users.1', event: 'an event', at: noon })
  })
  await throttles.take(db, { key: keyOf('a throttle'), now: noon, endsAt: later(1) })
  await cache.put(db, { key: 'a key', value: hardValues.name, endsAt: noon })
}

/** Returns every row of every table in a deterministic order. */
export async function everyRow(
  database: DatabaseAddress,
): Promise<Readonly<Record<string, readonly Cells[]>>> {
  const snapshot = await snapshots.take(database)
  try {
    const entries = snapshot.tables.map(async (table) => [
      table.name,
      await sortedRows(snapshot, table),
    ])
    return Object.fromEntries(await Promise.all(entries))
  } finally {
    await snapshot.close()
  }
}

async function sortedRows(snapshot: Snapshot, table: Snapshot['tables'][number]): Promise<Cells[]> {
  const rows = (await Array.fromAsync(snapshot.rows(table))).flat()
  const keyed = rows.map((cells) => ({ cells, name: cells.map(String).join() }))
  return keyed.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ cells }) => cells)
}

/** Builds an empty, fully migrated database to replace the held one. */
export function buildReplacement(
  locked: LockedDatabase,
  known: readonly Migration[] = migrations,
): Promise<Replacement> {
  return locked.build(known.map((migration) => ({ ...migration, ranAt: noon })))
}

/** Holds a place until `work` is done. Throws if another process has it open. */
export async function whileLocked<Result>(
  database: DatabaseAddress,
  work: (locked: LockedDatabase) => Promise<Result>,
): Promise<Result> {
  const held = await snapshots.hold(database, noon)
  if (!held) throw new Error('It is open already.')
  try {
    return await work(held)
  } finally {
    await held.end()
  }
}

/** Replaces a database's content with another's; returns the name under which the old one is kept. */
export async function replaceContent(
  from: DatabaseAddress,
  to: DatabaseAddress,
  known: readonly Migration[] = migrations,
): Promise<string | undefined> {
  const snapshot = await snapshots.take(from)
  try {
    return await whileLocked(to, async (held) => {
      const replacement = await buildReplacement(held, known)
      for (const table of snapshot.tables) await replacement.put(table, snapshot.rows(table))
      await replacement.check()
      return replacement.putInPlace()
    })
  } finally {
    await snapshot.close()
  }
}
