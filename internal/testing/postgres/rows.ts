import type { Db } from '../../db/db.ts'

/** Reads and changes rows directly, where databases differ: for PostgreSQL. */

interface SessionRow {
  readonly key: Buffer
  readonly userId: number | null
  readonly payload: string
  readonly endsAt: Date
}

async function refuse(db: Db): Promise<void> {
  await db.run`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'refused by the test'; END $$`
}

/** Makes changing photos fail from now on, until `allowPhotos`. */
export async function refusePhotos(db: Db): Promise<void> {
  await refuse(db)
  await db.run`
    CREATE TRIGGER refuse_photos BEFORE UPDATE OF photo ON users
    FOR EACH ROW EXECUTE FUNCTION refuse()`
}

export async function allowPhotos(db: Db): Promise<void> {
  await db.run`DROP TRIGGER refuse_photos ON users`
}

/** Makes changing existing logins fail from now on. */
export async function refuseLoginChanges(db: Db): Promise<void> {
  await refuse(db)
  await db.run`
    CREATE TRIGGER refuse_login_changes BEFORE UPDATE ON logins
    FOR EACH ROW EXECUTE FUNCTION refuse()`
}

/** Returns the migrations in the order in which they were recorded. */
export async function migrationsInOrder(db: Db): Promise<string[]> {
  const ran = await db.all<{ name: string }>`SELECT name FROM migrations ORDER BY ctid`
  return ran.map(({ name }) => name)
}

/** Returns the stored sessions, oldest first. */
export function allSessions(db: Db): Promise<SessionRow[]> {
  return db.all<SessionRow>`SELECT * FROM sessions ORDER BY ends_at, ctid`
}

/** Makes storing sessions fail from now on, until `allowSessions`; they can be read. */
export async function refuseSessions(db: Db): Promise<void> {
  await refuse(db)
  await db.run`
    CREATE TRIGGER refuse_sessions BEFORE INSERT OR UPDATE ON sessions
    FOR EACH ROW EXECUTE FUNCTION refuse()`
}

export async function allowSessions(db: Db): Promise<void> {
  await db.run`DROP TRIGGER refuse_sessions ON sessions`
}

/** Copies the first session's payload to all sessions. */
export async function copyFirstSession(db: Db): Promise<void> {
  await db.run`
    UPDATE sessions SET payload = (SELECT payload FROM sessions ORDER BY ends_at, ctid LIMIT 1)`
}

/** Publishes `notification` to a channel `times` times at once, as if from another process. */
export async function publishMany(
  db: Db,
  { channel, times, at }: { channel: string; times: number; at: Date },
): Promise<void> {
  // In batches: no statement may take longer than a few seconds.
  for (let left = times; left > 0; left -= 20_000)
    await db.run`
      WITH added AS (
        INSERT INTO broadcasts (channel, event, created_at)
        SELECT ${channel}, 'notification', ${at}::timestamptz
        FROM generate_series(1, ${Math.min(left, 20_000)})
        RETURNING id, channel, event)
      SELECT pg_notify('broadcasts', row_to_json(added)::text) FROM added`
}
