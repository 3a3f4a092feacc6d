import type { Db } from '../../db/db.ts'

/** Makes login lookups fail from now on, until `showLogins`. */
export async function hideLogins(db: Db): Promise<void> {
  await db.run`ALTER TABLE logins RENAME TO hidden_logins`
}

export async function showLogins(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_logins RENAME TO logins`
}

/** Makes reading and writing jobs fail from now on, until `showJobs`. */
export async function hideJobs(db: Db): Promise<void> {
  await db.run`ALTER TABLE jobs RENAME TO hidden_jobs`
}

export async function showJobs(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_jobs RENAME TO jobs`
}

/** Makes user lookups fail from now on, until `showUsers`. */
export async function hideUsers(db: Db): Promise<void> {
  await db.run`ALTER TABLE users RENAME TO hidden_users`
}

export async function showUsers(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_users RENAME TO users`
}

/** Makes token lookups fail from now on, until `showTokens`. */
export async function hideTokens(db: Db): Promise<void> {
  await db.run`ALTER TABLE access_tokens RENAME TO hidden_tokens`
}

export async function showTokens(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_tokens RENAME TO access_tokens`
}
