import { alike } from '../alike/jobs.ts'
import { returning } from '../alike/returning/jobs.ts'
import type { Job, JobOfUser, Jobs } from '../jobs.ts'

export const jobs: Jobs = {
  ...alike,
  ...returning,

  cancelLater: async (tx, { name, userId, after, until }) => {
    await tx.run`
      DELETE FROM jobs
      WHERE name = ${name} AND run_at > ${after} AND run_at <= ${until} AND tries = 0
        AND failed_at IS NULL AND claimed_by IS NULL
        AND payload::json ->> 'userId' = ${userId}::bigint::text`
  },

  insertIfNone: async (tx, { name, payload, at }) => {
    await tx.run`
      INSERT INTO jobs (name, payload, created_at)
      SELECT ${name}, ${payload}, ${at}::timestamptz
      WHERE NOT EXISTS (
          SELECT 1 FROM jobs WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL)
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE name = ${name} AND claimed_by IS NOT NULL)`
  },

  // Reads the first and the last job of each name in the index jobs_due, where jobs without a time come last. For any
  // job with run_at <= now, the planner would expect all failed jobs too, and read the whole table.
  dueNames: async (db, names, { now, beyond }) => {
    const due = await db.all<{ name: string }>`
      WITH names AS (
        SELECT name COLLATE "C" FROM json_array_elements_text(${JSON.stringify(names)}) AS name)
      SELECT name FROM names n
      WHERE EXISTS (
          SELECT 1 FROM (
            SELECT run_at FROM jobs WHERE name = n.name AND failed_at IS NULL AND claimed_by IS NULL
            ORDER BY run_at LIMIT 1) AS first
          WHERE run_at <= ${now})
        OR EXISTS (
          SELECT 1 FROM (
            SELECT run_at FROM jobs WHERE name = n.name AND failed_at IS NULL AND claimed_by IS NULL
            ORDER BY run_at DESC LIMIT 1) AS last
          WHERE run_at IS NULL OR run_at > ${beyond})`
    return due.map(({ name }) => name)
  },

  // A job claimed by another process at the same moment is skipped. Each SELECT uses the order of the index jobs_due,
  // even the one where run_at is NULL in all rows. MATERIALIZED makes it search for the job once.
  claim: (db, { name, by, now, beyond }) => db.first<Job>`
    WITH due AS MATERIALIZED (
      SELECT coalesce(
        (SELECT id FROM jobs
          WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at IS NULL
          ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED),
        (SELECT id FROM jobs
          WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at <= ${now}
          ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED),
        (SELECT id FROM jobs
          WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at > ${beyond}
          ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED)) AS id)
    UPDATE jobs SET claimed_by = ${by}, tries = tries + 1
    WHERE id = (SELECT id FROM due)
    RETURNING *`,

  // These are exactly the expressions of the indexes jobs_user and jobs_email: otherwise those are not used.
  ofUser: (db, { userId, emailKey, most }) =>
    db.all<JobOfUser>`
      SELECT *, count(*) OVER () AS in_all FROM jobs
      WHERE payload::json ->> 'userId' = ${userId}::bigint::text
        OR (payload::json ->> 'userId' IS NULL
          AND lower(coalesce(payload::json ->> 'email', payload::json #>> '{to,address}') COLLATE "C")
            = lower(${emailKey} COLLATE "C"))
      ORDER BY id LIMIT ${most}`,

  deleteOfUser: async (tx, userId) => {
    await tx.run`DELETE FROM jobs WHERE payload::json ->> 'userId' = ${userId}::bigint::text`
  },

  deleteOfEmail: async (tx, { email, emailKey }) => {
    await tx.run`
      DELETE FROM jobs
      WHERE payload::json ->> 'userId' IS NULL
        AND lower(coalesce(payload::json ->> 'email', payload::json #>> '{to,address}') COLLATE "C")
          IN (lower(${email} COLLATE "C"), lower(${emailKey} COLLATE "C"))`
  },

  retry: async (db, { id, at }) => {
    const job = await db.first<{ name: string }>`
      UPDATE jobs SET failed_at = NULL, run_at = ${at}, tries = 0, created_at = ${at}
      WHERE id = ${id} AND failed_at IS NOT NULL
      RETURNING name`
    return job?.name
  },

  // The condition is repeated outside because PostgreSQL rechecks only the outer one after waiting for a row lock.
  retrySome: (db, { most, at }) => db.run`
    UPDATE jobs SET failed_at = NULL, run_at = ${at}, tries = 0, created_at = ${at}
    WHERE failed_at IS NOT NULL
      AND id = ANY(ARRAY(
        SELECT id FROM jobs WHERE failed_at IS NOT NULL ORDER BY failed_at LIMIT ${most}))`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM jobs
    WHERE failed_at < ${before}
      AND id = ANY(ARRAY(
        SELECT id FROM jobs WHERE failed_at < ${before} ORDER BY failed_at LIMIT ${most}))`,
}
