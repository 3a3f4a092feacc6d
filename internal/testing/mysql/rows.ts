import type { Db } from '../../db/db.ts'

/** Reads and changes rows directly, where databases differ: for MySQL. */

interface SessionRow {
  readonly key: Buffer
  readonly userId: number | null
  readonly payload: string
  readonly endsAt: Date
}

/** Makes changing photos fail from now on, until `allowPhotos`. */
export async function refusePhotos(db: Db): Promise<void> {
  await db.run`
    CREATE TRIGGER refuse_photos BEFORE UPDATE ON users FOR EACH ROW
    IF NOT (NEW.photo <=> OLD.photo) THEN
      SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by the test';
    END IF`
}

export async function allowPhotos(db: Db): Promise<void> {
  await db.run`DROP TRIGGER refuse_photos`
}

/** Makes changing existing logins fail from now on. */
export async function refuseLoginChanges(db: Db): Promise<void> {
  await db.run`
    CREATE TRIGGER refuse_login_changes BEFORE UPDATE ON logins FOR EACH ROW
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by the test'`
}

/** Returns the migrations in the order in which they were recorded. */
export async function migrationsInOrder(db: Db): Promise<string[]> {
  const ran = await db.all<{ name: string }>`SELECT name FROM migrations ORDER BY ran_at, name`
  return ran.map(({ name }) => name)
}

/** Returns the stored sessions, oldest first. */
export function allSessions(db: Db): Promise<SessionRow[]> {
  return db.all<SessionRow>`SELECT * FROM sessions ORDER BY ends_at, user_id`
}

/** Makes storing sessions fail from now on, until `allowSessions`; they can be read. */
export async function refuseSessions(db: Db): Promise<void> {
  await db.run`
    CREATE TRIGGER refuse_new_sessions BEFORE INSERT ON sessions FOR EACH ROW
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by the test'`
  await db.run`
    CREATE TRIGGER refuse_sessions BEFORE UPDATE ON sessions FOR EACH ROW
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by the test'`
}

export async function allowSessions(db: Db): Promise<void> {
  await db.run`DROP TRIGGER refuse_new_sessions`
  await db.run`DROP TRIGGER refuse_sessions`
}

/** Copies the first session's payload to all sessions. */
export async function copyFirstSession(db: Db): Promise<void> {
  const [first] = await allSessions(db)
  if (first) await db.run`UPDATE sessions SET payload = ${first.payload}`
}

/** Publishes `notification` to a channel `times` times at once, as if from another process. */
export async function publishMany(
  db: Db,
  { channel, times, at }: { channel: string; times: number; at: Date },
): Promise<void> {
  // In batches: no statement may take longer than a few seconds.
  for (let left = times; left > 0; left -= 10_000) {
    const numbers = JSON.stringify(Array.from({ length: Math.min(left, 10_000) }, (_, n) => n))
    await db.run`
      INSERT INTO broadcasts (channel, event, created_at)
      SELECT ${channel}, 'notification', ${at}
      FROM JSON_TABLE(${numbers}, '$[*]' COLUMNS (n BIGINT PATH '$')) AS numbers`
  }
}
