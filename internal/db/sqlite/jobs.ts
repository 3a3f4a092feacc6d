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
        AND json_extract(payload, '$.userId') = ${userId}`
  },

  insertIfNone: async (tx, { name, payload, at }) => {
    await tx.run`
      INSERT INTO jobs (name, payload, created_at)
      SELECT ${name}, ${payload}, ${at}
      WHERE NOT EXISTS (
          SELECT 1 FROM jobs WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL)
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE name = ${name} AND claimed_by IS NOT NULL)`
  },

  // Each condition for being due is one search in jobs_due, however many jobs wait.
  dueNames: async (db, names, { now, beyond }) => {
    const due = await db.all<{ name: string }>`
      WITH names AS (SELECT value AS name FROM json_each(${JSON.stringify(names)}))
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

  claim: (db, { name, by, now, beyond }) => db.first<Job>`
    UPDATE jobs SET claimed_by = ${by}, tries = tries + 1
    WHERE id = coalesce(
      (SELECT id FROM jobs
        WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at IS NULL
        ORDER BY id LIMIT 1),
      (SELECT id FROM jobs
        WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at <= ${now}
        ORDER BY run_at LIMIT 1),
      (SELECT id FROM jobs
        WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at > ${beyond}
        ORDER BY run_at LIMIT 1))
    RETURNING *`,

  // Uses the indexes jobs_user and jobs_email by their exact expressions. The + keeps jobs_user from being used for IS
  // NULL.
  ofUser: (db, { userId, emailKey, most }) =>
    db.all<JobOfUser>`
      SELECT *, count(*) OVER () AS in_all FROM jobs
      WHERE json_extract(payload, '$.userId') = ${userId}
        OR (+json_extract(payload, '$.userId') IS NULL
          AND lower(coalesce(json_extract(payload, '$.email'), json_extract(payload, '$.to.address')))
            = lower(${emailKey}))
      ORDER BY id LIMIT ${most}`,

  deleteOfUser: async (tx, userId) => {
    await tx.run`DELETE FROM jobs WHERE json_extract(payload, '$.userId') = ${userId}`
  },

  deleteOfEmail: async (tx, { email, emailKey }) => {
    await tx.run`
      DELETE FROM jobs
      WHERE +json_extract(payload, '$.userId') IS NULL
        AND lower(coalesce(json_extract(payload, '$.email'), json_extract(payload, '$.to.address')))
          IN (lower(${email}), lower(${emailKey}))`
  },

  retry: async (db, { id, at }) => {
    const job = await db.first<{ name: string }>`
      UPDATE jobs SET failed_at = NULL, run_at = ${at}, tries = 0, created_at = ${at}
      WHERE id = ${id} AND failed_at IS NOT NULL
      RETURNING name`
    return job?.name
  },

  retrySome: (db, { most, at }) => db.run`
    UPDATE jobs SET failed_at = NULL, run_at = ${at}, tries = 0, created_at = ${at}
    WHERE id IN (SELECT id FROM jobs WHERE failed_at IS NOT NULL LIMIT ${most})`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE failed_at < ${before} LIMIT ${most})`,
}
