import { alike } from '../alike/jobs.ts'
import type { Job, JobOfUser, Jobs } from '../jobs.ts'

export const jobs: Jobs = {
  ...alike,

  insert: async (tx, { name, payload, at, due = null }) => {
    const job = await tx.first<{ id: number }>`
      INSERT INTO jobs (name, payload, run_at, created_at)
      VALUES (${name}, ${payload}, ${due}, ${at})
      RETURNING id`
    if (!job) throw new Error('The job was not kept.')
    return job.id
  },

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

  // Each way to be due is one search of jobs_due, however many jobs wait.
  dueNames: async (db, names, { now, beyond }) => {
    const due = await db.all<{ name: string }>`
      WITH names AS (
        SELECT name COLLATE "C" FROM json_array_elements_text(${JSON.stringify(names)}) AS name)
      SELECT name FROM names n
      WHERE EXISTS (
          SELECT 1 FROM jobs
          WHERE name = n.name AND failed_at IS NULL AND claimed_by IS NULL AND run_at IS NULL)
        OR EXISTS (
          SELECT 1 FROM jobs
          WHERE name = n.name AND failed_at IS NULL AND claimed_by IS NULL AND run_at <= ${now})
        OR EXISTS (
          SELECT 1 FROM jobs
          WHERE name = n.name AND failed_at IS NULL AND claimed_by IS NULL AND run_at > ${beyond})`
    return due.map(({ name }) => name)
  },

  // One that another process takes at the same moment is stepped over. Materialized, so that it is looked for once.
  claim: (db, { name, by, now, beyond }) => db.first<Job>`
    WITH due AS MATERIALIZED (
      SELECT coalesce(
        (SELECT id FROM jobs
          WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at IS NULL
          ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED),
        (SELECT id FROM jobs
          WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at <= ${now}
          ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED),
        (SELECT id FROM jobs
          WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at > ${beyond}
          ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED)) AS id)
    UPDATE jobs SET claimed_by = ${by}, tries = tries + 1
    WHERE id = (SELECT id FROM due)
    RETURNING *`,

  // By jobs_user and jobs_email, in whose words it has to be asked.
  ofUser: (db, { userId, email, most }) =>
    db.all<JobOfUser>`
      SELECT *, count(*) OVER () AS in_all FROM jobs
      WHERE payload::json ->> 'userId' = ${userId}::bigint::text
        OR (payload::json ->> 'userId' IS NULL
          AND lower(coalesce(payload::json ->> 'email', payload::json #>> '{to,address}') COLLATE "C")
            = lower(${email} COLLATE "C"))
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

  // The condition outside too: of a row that was waited for nothing else is asked again.
  retrySome: (db, { most, at }) => db.run`
    UPDATE jobs SET failed_at = NULL, run_at = ${at}, tries = 0, created_at = ${at}
    WHERE failed_at IS NOT NULL
      AND id IN (SELECT id FROM jobs WHERE failed_at IS NOT NULL LIMIT ${most})`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM jobs
    WHERE failed_at < ${before}
      AND id IN (SELECT id FROM jobs WHERE failed_at < ${before} LIMIT ${most})`,
}
