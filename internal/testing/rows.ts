import type { Database, Db } from '../db/db.ts'
import type { Job } from '../db/jobs.ts'
import type { Login } from '../db/logins.ts'
import type { User } from '../db/users.ts'

/** What tests look up and change behind the service's back; the same on every database. */

export function allUsers(db: Db): Promise<User[]> {
  return db.all<User>`SELECT * FROM users ORDER BY id`
}

/** The logins that have a row, oldest first. */
export function allLogins(db: Db): Promise<Login[]> {
  return db.all<Login>`SELECT * FROM logins ORDER BY logged_in_at`
}

/** Has every account keep this hash; an empty one is that of an account with no password. */
export async function keepHash(db: Db, hash: string): Promise<void> {
  await db.run`UPDATE users SET password_hash = ${hash}`
}

export async function verifyEmails(db: Db, at: Date): Promise<void> {
  await db.run`UPDATE users SET email_verified_at = ${at}`
}

/** From here on every throttle fails. */
export async function dropThrottles(db: Db): Promise<void> {
  await db.run`DROP TABLE throttles`
}

/** Gives every account an unread notification. */
export async function notifyAll(db: Db, at: Date): Promise<void> {
  await db.run`
    INSERT INTO notifications (user_id, kind, created_at)
    SELECT id, 'password-changed', ${at} FROM users`
}

/** Ends every login by losing its row, as logging out from another browser does. */
export async function loseLogins(db: Db): Promise<void> {
  await db.run`DELETE FROM logins`
}

export async function loseUsers(db: Db): Promise<void> {
  await db.run`DELETE FROM users`
}

/** From here on no login can be kept. */
export async function dropLogins(db: Db): Promise<void> {
  await db.run`DROP TABLE logins`
}

export function allThrottles(db: Db): Promise<{ key: Buffer; tries: number; endsAt: Date }[]> {
  return db.all`SELECT * FROM throttles ORDER BY ends_at`
}

/** From here on no login can be looked up, until `showLogins`. */
export async function hideLogins(db: Db): Promise<void> {
  await db.run`ALTER TABLE logins RENAME TO hidden_logins`
}

export async function showLogins(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_logins RENAME TO logins`
}

/** Resolves once all that is being written is on disk, work in the background too. */
export async function written(db: Database): Promise<void> {
  await db.transaction(async () => {})
}

/** The jobs that wait, run or have failed for good, oldest first. */
export function allJobs(
  db: Db,
): Promise<(Job & { claimedBy: string | null; runAt: Date | null })[]> {
  return db.all`SELECT * FROM jobs ORDER BY id`
}

/** Gives every job of a name another one. */
export async function nameAJob(db: Db, from: string, to: string): Promise<void> {
  await db.run`UPDATE jobs SET name = ${to} WHERE name = ${from}`
}

/** Adds a job that has failed for good. */
export async function addFailedJob(
  db: Db,
  job: { name: string; error: string; tries: number; at: Date },
): Promise<void> {
  const { name, error, tries, at } = job
  await db.run`
    INSERT INTO jobs (name, tries, error, failed_at, created_at)
    VALUES (${name}, ${tries}, ${error}, ${at}, ${at})`
}

/** Adds a job for each email, as another process does: no bell rings here. */
export async function addJobs(db: Db, name: string, emails: readonly string[]): Promise<void> {
  const payloads = JSON.stringify(emails.map((email) => JSON.stringify({ email })))
  await db.run`
    INSERT INTO jobs (name, payload, created_at)
    SELECT ${name}, value, ${new Date()} FROM json_each(${payloads})`
}

export async function loseJobs(db: Db): Promise<void> {
  await db.run`DELETE FROM jobs`
}

/** From here on no job can be looked up or noted down, until `showJobs`. */
export async function hideJobs(db: Db): Promise<void> {
  await db.run`ALTER TABLE jobs RENAME TO hidden_jobs`
}

export async function showJobs(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_jobs RENAME TO jobs`
}

/** Has every account ask for a code at login. */
export async function turnOnTwoFactor(db: Db): Promise<void> {
  await db.run`UPDATE users SET two_factor_secret = 'sealed'`
}

export async function turnOffTwoFactor(db: Db): Promise<void> {
  await db.run`UPDATE users SET two_factor_secret = NULL`
}

/** Has an account go by another email. */
export async function keepEmail(db: Db, id: number, email: string): Promise<void> {
  await db.run`UPDATE users SET email = ${email}, email_key = ${email} WHERE id = ${id}`
}

/** The logins that wait for their code. */
export function waitingLogins(db: Db): Promise<{ key: string; value: string; endsAt: Date }[]> {
  return db.all`SELECT * FROM cache WHERE key LIKE 'waiting-login:%' ORDER BY ends_at`
}

/** Gives every account a passkey and an API token. */
export async function addKeys(db: Db, at: Date): Promise<void> {
  await db.run`
    INSERT INTO passkeys
      (user_id, credential_id, public_key, name, aaguid, backup_eligible, backed_up, created_at)
    SELECT id, randomblob(16), x'00', 'Firefox on Linux', zeroblob(16), 0, 0, ${at} FROM users`
  await db.run`
    INSERT INTO access_tokens (user_id, hash, name, abilities, created_at)
    SELECT id, randomblob(32), 'CI', '[]', ${at} FROM users`
}

/** How many passkeys and API tokens there are. */
export async function countKeys(db: Db): Promise<{ passkeys: number; tokens: number }> {
  const counted = await db.first<{ passkeys: number; tokens: number }>`
    SELECT (SELECT count(*) FROM passkeys) AS passkeys, (SELECT count(*) FROM access_tokens) AS tokens`
  return counted ?? { passkeys: 0, tokens: 0 }
}
