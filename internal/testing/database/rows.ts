import { randomBytes } from 'node:crypto'
import type { Database, Db, Tx } from '../../db/db.ts'
import type { Job } from '../../db/jobs.ts'
import type { LoginRow } from '../../db/logins.ts'
import type { Notification } from '../../db/notifications.ts'
import type { User } from '../../db/users.ts'

/** Reads and changes rows directly rather than through the service; the same on every database. */

export function allUsers(db: Db): Promise<User[]> {
  return db.all<User>`SELECT * FROM users ORDER BY id`
}

/** Returns the stored logins, oldest first. */
export function allLogins(db: Db): Promise<LoginRow[]> {
  return db.all<LoginRow>`SELECT * FROM logins ORDER BY logged_in_at`
}

/** Sets all accounts' password hash; an empty one means no password. */
export async function setPasswordHash(db: Db, hash: string): Promise<void> {
  await db.run`UPDATE users SET password_hash = ${hash}`
}

/** Sets all accounts' sealed recovery codes. */
export async function setRecoveryCodes(db: Db, sealed: string): Promise<void> {
  await db.run`UPDATE users SET recovery_codes = ${sealed}`
}

/** Sets all accounts' names. */
export async function setUserNames(db: Db, name: string | Uint8Array): Promise<void> {
  await db.run`UPDATE users SET name = ${name}`
}

export async function verifyEmails(db: Db, at: Date): Promise<void> {
  await db.run`UPDATE users SET email_verified_at = ${at}`
}

/** Makes every throttle fail from now on. */
export async function dropThrottles(db: Db): Promise<void> {
  await db.run`DROP TABLE throttles`
}

/** Empties the throttles, as if nobody had tried anything yet. */
export async function deleteThrottles(db: Db): Promise<void> {
  await db.run`DELETE FROM throttles`
}

/** Gives every account an unread notification. */
export async function notifyAll(db: Db, at: Date): Promise<void> {
  await db.run`
    INSERT INTO notifications (user_id, kind, created_at)
    SELECT id, 'password-changed', ${at} FROM users`
}

/** Ends every login by deleting its row, like logging out from another browser. */
export async function deleteLogins(db: Db): Promise<void> {
  await db.run`DELETE FROM logins`
}

export async function deleteUsers(db: Db): Promise<void> {
  await db.run`DELETE FROM users`
}

/** Makes storing logins fail from now on. */
export async function dropLogins(db: Db): Promise<void> {
  await db.run`DROP TABLE logins`
}

export function allThrottles(db: Db): Promise<{ key: Buffer; tries: number; endsAt: Date }[]> {
  return db.all`SELECT * FROM throttles ORDER BY ends_at`
}

/** Returns the waiting, running and failed jobs, oldest first. */
export function allJobs(
  db: Db,
): Promise<(Job & { claimedBy: string | null; runAt: Date | null })[]> {
  return db.all`SELECT * FROM jobs ORDER BY id`
}

/** Renames every job with a name. */
export async function renameJobs(db: Db, from: string, to: string): Promise<void> {
  await db.run`UPDATE jobs SET name = ${to} WHERE name = ${from}`
}

/** Adds a job that has failed for good. */
export async function addFailedJob(
  db: Db,
  job: { name: string; payload?: object; error: string; tries: number; at: Date },
): Promise<void> {
  const { name, payload = {}, error, tries, at } = job
  await db.run`
    INSERT INTO jobs (name, payload, tries, error, failed_at, created_at)
    VALUES (${name}, ${JSON.stringify(payload)}, ${tries}, ${error}, ${at}, ${at})`
}

/** Marks a third of all jobs as failed for good at this time, when they were due. */
export async function failSomeJobs(db: Db, at: Date): Promise<void> {
  await db.run`UPDATE jobs SET failed_at = ${at}, run_at = ${at} WHERE id % 3 = 0`
}

/** Adds a job for each email, like another process: no signal tells this process of them. */
export async function addJobs(
  db: Database,
  name: string,
  emails: readonly string[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const email of emails)
      await tx.run`
        INSERT INTO jobs (name, payload, created_at)
        VALUES (${name}, ${JSON.stringify({ email })}, ${new Date()})`
  })
}

/** Makes a process claim all jobs; each has been tried as often as its ID and `runs` together. */
export async function claimAllJobs(db: Db, by: string, runs: number): Promise<void> {
  await db.run`UPDATE jobs SET claimed_by = ${by}, tries = id + ${runs}`
}

/** Makes every other transaction that would change a job wait for this one's end. */
export async function lockJobs(tx: Tx): Promise<void> {
  await tx.run`UPDATE jobs SET tries = tries`
}

export async function deleteJobs(db: Db): Promise<void> {
  await db.run`DELETE FROM jobs`
}

/** Turns on two-factor login for all accounts. */
export async function turnOnTwoFactor(db: Db): Promise<void> {
  await db.run`UPDATE users SET two_factor_secret = 'sealed'`
}

export async function turnOffTwoFactor(db: Db): Promise<void> {
  await db.run`UPDATE users SET two_factor_secret = NULL`
}

/** Sets an account's email. */
export async function setEmailOf(db: Db, id: number, email: string): Promise<void> {
  await db.run`UPDATE users SET email = ${email}, email_key = ${email} WHERE id = ${id}`
}

/** Returns the logins waiting for their code. */
export function waitingLogins(db: Db): Promise<{ key: string; value: string; endsAt: Date }[]> {
  return db.all`SELECT * FROM cache WHERE "key" LIKE 'waiting-login:%' ORDER BY ends_at`
}

/** Gives every account a passkey and an API token. */
export async function addPasskeysAndTokens(db: Db, at: Date): Promise<void> {
  for (const { id } of await allUsers(db)) {
    const [credential, hash] = [randomBytes(16), randomBytes(32)]
    const [publicKey, aaguid] = [Buffer.alloc(1), Buffer.alloc(16)]
    await db.run`
      INSERT INTO passkeys
        (user_id, credential_id, public_key, name, aaguid, backup_eligible, backed_up, created_at)
      VALUES
        (${id}, ${credential}, ${publicKey}, 'Firefox on Linux', ${aaguid}, ${false}, ${false}, ${at})`
    await db.run`
      INSERT INTO access_tokens (user_id, hash, name, abilities, created_at)
      VALUES (${id}, ${hash}, 'CI', '[]', ${at})`
  }
}

/** Sets all passkeys' names. */
export async function setPasskeyNames(db: Db, name: string): Promise<void> {
  await db.run`UPDATE passkeys SET name = ${name}`
}

/** Returns the number of passkeys and of API tokens. */
export async function countPasskeysAndTokens(
  db: Db,
): Promise<{ passkeys: number; tokens: number }> {
  const counted = await db.first<{ passkeys: number; tokens: number }>`
    SELECT (SELECT count(*) FROM passkeys) AS passkeys, (SELECT count(*) FROM access_tokens) AS tokens`
  return counted ?? { passkeys: 0, tokens: 0 }
}

/** Returns the browsers from which accounts have logged in. */
export function allBrowsers(
  db: Db,
): Promise<{ userId: number; hash: Buffer; lastLoginAt: Date }[]> {
  return db.all`SELECT * FROM browsers ORDER BY last_login_at`
}

export function allNotifications(db: Db): Promise<Notification[]> {
  return db.all<Notification>`SELECT * FROM notifications ORDER BY id`
}

/** Makes storing notifications fail from now on; existing ones can be counted. */
export async function refuseNotifications(db: Db): Promise<void> {
  await db.run`ALTER TABLE notifications RENAME COLUMN kind TO hidden_kind`
}

/** Returns the row count of each kind of thing that belongs to an account. */
export async function countRowsOfUsers(db: Db): Promise<Readonly<Record<string, number>>> {
  const counted = await db.first<Record<string, number>>`
    SELECT
      (SELECT count(*) FROM users) AS users,
      (SELECT count(*) FROM logins) AS logins,
      (SELECT count(*) FROM browsers) AS browsers,
      (SELECT count(*) FROM passkeys) AS passkeys,
      (SELECT count(*) FROM access_tokens) AS tokens,
      (SELECT count(*) FROM notifications) AS notifications`
  return counted ?? {}
}

/** Sets all accounts' photo to this key, without a file. */
export async function setPhotoKey(db: Db, key: string): Promise<void> {
  await db.run`UPDATE users SET photo = ${key}`
}

/** Sets the time step of all accounts' last code. */
export async function setTwoFactorStep(db: Db, step: number): Promise<void> {
  await db.run`UPDATE users SET two_factor_step = ${step}`
}
