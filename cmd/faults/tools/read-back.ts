import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#db/driver'
import type { Database } from '../../../internal/db/db.ts'
import { damageOf } from '../damage.ts'
import { start } from './servers.ts'
import type { AcknowledgedWrites } from './writes.ts'

/**
 * Starts a server on what is left, and returns the acknowledged writes that are missing, and the writes of which only
 * a part is there.
 */
export async function readBack(
  folder: string,
  writes: AcknowledgedWrites,
): Promise<readonly string[]> {
  const server = await start({ folder, settings: { QUEUE_WORKERS: '0' } })
  await server.stop()
  const db = await openDatabase({ file: server.database })
  const faults = [
    ...(await damageOf(db)),
    ...(await missingWrites(db, writes)),
    ...(await partialWrites(db)),
    ...(await photoFault(db, folder, writes)),
  ]
  await db.close()
  return faults
}

async function missingWrites(db: Database, writes: AcknowledgedWrites): Promise<string[]> {
  const users = await db.all<{ email: string; name: string }>`
    SELECT email, name FROM users ORDER BY id`
  const jobs = await db.all<{ email: string }>`
    SELECT payload ->> 'email' AS email FROM jobs WHERE name = 'ResetMail'`
  const tokens = await db.first<{ count: number }>`SELECT count(*) AS count FROM access_tokens`
  const emails = new Set(users.map(({ email }) => email))
  const mailedEmails = new Set(jobs.map(({ email }) => email))
  return [
    ...writes.emails.filter((email) => !emails.has(email)).map((email) => `no account ${email}`),
    ...writes.resetEmails
      .filter((email) => !mailedEmails.has(email))
      .map((email) => `no mail to ${email}`),
    ...(writes.name > 0 && Number(users[0]?.name) < writes.name ? ['the name is an old one'] : []),
    ...((tokens?.count ?? 0) < writes.tokens ? ['a token is missing'] : []),
  ]
}

/**
 * Returns rows without what is written with them: an account without its login or its mail job, a token without its
 * notice.
 */
async function partialWrites(db: Database): Promise<string[]> {
  const accounts = await db.all<{ email: string; logins: number; mails: number }>`
    SELECT email,
      (SELECT count(*) FROM logins WHERE user_id = users.id) AS logins,
      (SELECT count(*) FROM jobs WHERE name = 'VerifyMail' AND payload ->> 'userId' = users.id) AS mails
    FROM users WHERE email LIKE 'new%'`
  const tokens = await db.first<{ tokens: number; notices: number }>`
    SELECT (SELECT count(*) FROM access_tokens) AS tokens,
      (SELECT count(*) FROM notifications WHERE kind LIKE '%token%') AS notices`
  return [
    ...accounts
      .filter(({ logins, mails }) => logins !== 1 || mails !== 1)
      .map(({ email, logins, mails }) => `${email} with ${logins} logins and ${mails} mails`),
    ...(tokens?.tokens === tokens?.notices
      ? []
      : [`${tokens?.tokens} tokens and ${tokens?.notices} notices`]),
  ]
}

async function photoFault(
  db: Database,
  folder: string,
  writes: AcknowledgedWrites,
): Promise<string[]> {
  const user = await db.first<{ photo: string | null }>`SELECT photo FROM users WHERE id = 1`
  const photo = user?.photo ?? null
  if (photo === null) return writes.photo ? ['no photo'] : []
  return existsSync(join(folder, 'files', photo)) ? [] : ['a photo without its file']
}
