import type { Db } from '../../db/db.ts'

/** Reads and changes rows directly, where databases differ: for SQLite. */

interface SessionRow {
  readonly key: Buffer
  readonly userId: number | null
  readonly payload: string
  readonly endsAt: Date
}

/** Makes changing photos fail from now on, until `allowPhotos`. */
export async function refusePhotos(db: Db): Promise<void> {
  await db.run`
    CREATE TRIGGER refuse_photos BEFORE UPDATE OF photo ON users
    BEGIN SELECT raise(ABORT, 'refused by the test'); END`
}

export async function allowPhotos(db: Db): Promise<void> {
  await db.run`DROP TRIGGER refuse_photos`
}

/** Makes changing existing logins fail from now on. */
export async function refuseLoginChanges(db: Db): Promise<void> {
  await db.run`
    CREATE TRIGGER refuse_login_changes BEFORE UPDATE ON logins
    BEGIN SELECT raise(ABORT, 'refused by the test'); END`
}

/** Returns the migrations in the order in which they were recorded. */
export async function migrationsInOrder(db: Db): Promise<string[]> {
  const ran = await db.all<{ name: string }>`SELECT name FROM migrations ORDER BY rowid`
  return ran.map(({ name }) => name)
}

/** Returns the stored sessions, oldest first. */
export function allSessions(db: Db): Promise<SessionRow[]> {
  return db.all<SessionRow>`SELECT * FROM sessions ORDER BY rowid`
}

/** Makes storing sessions fail from now on, until `allowSessions`; they can be read. */
export async function refuseSessions(db: Db): Promise<void> {
  await db.run`
    CREATE TRIGGER refuse_new_sessions BEFORE INSERT ON sessions
    BEGIN SELECT raise(ABORT, 'refused by the test'); END`
  await db.run`
    CREATE TRIGGER refuse_sessions BEFORE UPDATE ON sessions
    BEGIN SELECT raise(ABORT, 'refused by the test'); END`
}

export async function allowSessions(db: Db): Promise<void> {
  await db.run`DROP TRIGGER refuse_new_sessions`
  await db.run`DROP TRIGGER refuse_sessions`
}

/** Copies the first session's payload to all sessions. */
export async function copyFirstSession(db: Db): Promise<void> {
  await db.run`
    UPDATE sessions SET payload = (SELECT payload FROM sessions ORDER BY rowid LIMIT 1)`
}

/** Publishes `notification` to a channel `times` times at once, as if from another process. */
export async function publishMany(
  db: Db,
  { channel, times, at }: { channel: string; times: number; at: Date },
): Promise<void> {
  await db.run`
    INSERT INTO broadcasts (channel, event, created_at)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
    SELECT ${channel}, 'notification', ${at} FROM numbers`
}
