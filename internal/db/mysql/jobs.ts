import { alike } from '../alike/jobs.ts'
import type { Job, JobOfUser, Jobs } from '../jobs.ts'
import type { Wrote } from './connection.ts'

export const jobs: Jobs = {
  ...alike,

  insert: async (tx, { name, payload, at, due = null }) => {
    const job = await tx.first<Wrote>`
      INSERT INTO jobs (name, payload, run_at, created_at)
      VALUES (${name}, ${payload}, ${due}, ${at})`
    if (!job) throw new Error('The job was not kept.')
    return job.insertId
  },

  cancelLater: async (tx, { name, userId, after, until }) => {
    await tx.run`
      DELETE FROM jobs
      WHERE name = ${name} AND run_at > ${after} AND run_at <= ${until} AND tries = 0
        AND failed_at IS NULL AND claimed_by IS NULL
        AND user_id = ${userId}`
  },

  insertIfNone: async (tx, { name, payload, at }) => {
    await tx.run`
      INSERT INTO jobs (name, payload, created_at)
      SELECT ${name}, ${payload}, ${at}
      WHERE NOT EXISTS (
          SELECT 1 FROM jobs WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL)
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE name = ${name} AND claimed_by IS NOT NULL)`
  },

  // Reads the first and the last job of each name in the order of the index jobs_due: a condition on run_at alone
  // would read all waiting jobs. Forced, since MySQL may estimate that jobs_claimed has fewer rows with claimed_by IS
  // NULL.
  dueNames: async (db, names, { now, beyond }) => {
    const due = await db.all<{ name: string }>`
      SELECT name FROM
        JSON_TABLE(${JSON.stringify(names)}, '$[*]' COLUMNS (name VARCHAR(100) PATH '$')) AS n
      WHERE EXISTS (
          SELECT 1 FROM jobs FORCE INDEX (jobs_due)
          WHERE name = n.name AND failed_at IS NULL AND claimed_by IS NULL AND run_at IS NULL)
        OR (SELECT run_at FROM jobs FORCE INDEX (jobs_due)
          WHERE name = n.name AND failed_at IS NULL AND claimed_by IS NULL AND run_at IS NOT NULL
          ORDER BY name, claimed_by, failed_at, run_at LIMIT 1) <= ${now}
        OR (SELECT run_at FROM jobs FORCE INDEX (jobs_due)
          WHERE name = n.name AND failed_at IS NULL AND claimed_by IS NULL AND run_at IS NOT NULL
          ORDER BY name DESC, claimed_by DESC, failed_at DESC, run_at DESC LIMIT 1) > ${beyond}`
    return due.map(({ name }) => name)
  },

  // Jumps from name to name in the index jobs_due. To find the smallest name after another one, MySQL would read all
  // of it.
  waitingNames: async (db) => {
    const rows = await db.all<{ name: string }>`
      SELECT name FROM jobs WHERE failed_at IS NULL AND claimed_by IS NULL GROUP BY name`
    return rows.map(({ name }) => name)
  },

  // A job claimed by another process at the same moment is skipped. The job's ID is returned as the write's insert ID.
  claim: async (db, { name, by, now, beyond }) => {
    const wrote = await db.first<Wrote>`
      UPDATE jobs JOIN (
        SELECT coalesce(
          (SELECT id FROM jobs
            WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at IS NULL
            ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED),
          (SELECT id FROM jobs
            WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at <= ${now}
            ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED),
          (SELECT id FROM jobs
            WHERE name = ${name} AND failed_at IS NULL AND claimed_by IS NULL AND run_at > ${beyond}
            ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED)) AS id
        LIMIT 1) AS due ON jobs.id = due.id
      SET jobs.id = LAST_INSERT_ID(jobs.id), claimed_by = ${by}, tries = tries + 1`
    if (wrote?.matched !== 1) return undefined
    return db.first<Job>`SELECT * FROM jobs WHERE id = ${wrote.insertId}`
  },

  // Uses the indexes jobs_user and jobs_email. Too many jobs name no user to search for them: coalesce only filters.
  // The last condition leaves out other people's emails, which `lower` makes the same (`İ`, `i`): byte by byte it
  // folds only ASCII letters, as other databases do.
  ofUser: (db, { userId, emailKey, most }) =>
    db.all<JobOfUser>`
      SELECT *, count(*) OVER () AS in_all FROM jobs
      WHERE user_id = ${userId} OR (
        coalesce(user_id, 0) = 0 AND email = lower(${emailKey})
        AND lower(CONVERT(CAST(
          coalesce(json_value(payload, '$.email'), json_value(payload, '$.to.address')) AS BINARY) USING latin1))
          = lower(CONVERT(CAST(${emailKey} AS BINARY) USING latin1)))
      ORDER BY id LIMIT ${most}`,

  deleteOfUser: async (tx, userId) => {
    await tx.run`DELETE FROM jobs WHERE user_id = ${userId}`
  },

  deleteOfEmail: async (tx, { email, emailKey }) => {
    await tx.run`
      DELETE FROM jobs
      WHERE coalesce(user_id, 0) = 0 AND email IN (lower(${email}), lower(${emailKey}))
        AND lower(CONVERT(CAST(
          coalesce(json_value(payload, '$.email'), json_value(payload, '$.to.address')) AS BINARY) USING latin1))
          IN (
            lower(CONVERT(CAST(${email} AS BINARY) USING latin1)),
            lower(CONVERT(CAST(${emailKey} AS BINARY) USING latin1)))`
  },

  retry: async (db, { id, at }) => {
    const retried = await db.run`
      UPDATE jobs SET failed_at = NULL, run_at = ${at}, tries = 0, created_at = ${at}
      WHERE id = ${id} AND failed_at IS NOT NULL`
    if (retried === 0) return undefined
    return (await db.first<{ name: string }>`SELECT name FROM jobs WHERE id = ${id}`)?.name
  },

  retrySome: (db, { most, at }) => db.run`
    UPDATE jobs SET failed_at = NULL, run_at = ${at}, tries = 0, created_at = ${at}
    WHERE failed_at IS NOT NULL LIMIT ${most}`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM jobs WHERE failed_at < ${before} LIMIT ${most}`,
}
