import type { Job, Jobs } from '../jobs.ts'

/** Statements that run on every database. */
export const alike = {
  // A job whose run was cut off has started too, although the run is not counted: `releaseOfStopping` clears its time.
  cancel: async (tx, id) =>
    (await tx.run`
      DELETE FROM jobs
      WHERE id = ${id} AND tries = 0 AND run_at IS NOT NULL AND failed_at IS NULL`) === 1,

  finish: async (db, { id, by, tries }) => {
    await db.run`
      DELETE FROM jobs WHERE id = ${id} AND claimed_by = ${by} AND tries = ${tries}`
  },

  runAgain: async (db, { id, by, tries, at, error }) => {
    await db.run`
      UPDATE jobs SET claimed_by = NULL, run_at = ${at}, error = ${error}
      WHERE id = ${id} AND claimed_by = ${by} AND tries = ${tries}`
  },

  fail: async (db, { id, by, tries, at, error }) => {
    await db.run`
      UPDATE jobs SET claimed_by = NULL, failed_at = ${at}, error = ${error}
      WHERE id = ${id} AND claimed_by = ${by} AND tries = ${tries}`
  },

  releaseUnused: async (db, { id, by, tries }) =>
    (await db.run`
      UPDATE jobs SET claimed_by = NULL, run_at = NULL
      WHERE id = ${id} AND claimed_by = ${by} AND tries = ${tries}`) === 1,

  claims: (db) =>
    db.all`SELECT id, name, claimed_by AS "by", tries FROM jobs WHERE claimed_by IS NOT NULL`,

  releaseOfStopping: async (db, by) => {
    await db.run`
      UPDATE jobs SET claimed_by = NULL, run_at = NULL, tries = tries - 1 WHERE claimed_by = ${by}`
  },

  releaseOfDead: (tx, { by, runs, at, error }) => tx.run`
    UPDATE jobs SET
      claimed_by = NULL,
      run_at = NULL,
      error = CASE WHEN tries < ${runs} THEN error ELSE ${error} END,
      failed_at = CASE WHEN tries < ${runs} THEN NULL ELSE ${at} END
    WHERE claimed_by = ${by}`,

  // Jumps from name to name in the index; DISTINCT would read every job.
  waitingNames: async (db) => {
    const rows = await db.all<{ name: string }>`
      WITH RECURSIVE waiting (name) AS (
        SELECT min(name) FROM jobs WHERE failed_at IS NULL AND claimed_by IS NULL
        UNION ALL
        SELECT (SELECT min(j.name) FROM jobs j
          WHERE j.name > w.name AND j.failed_at IS NULL AND j.claimed_by IS NULL)
        FROM waiting w WHERE w.name IS NOT NULL)
      SELECT name FROM waiting WHERE name IS NOT NULL`
    return rows.map(({ name }) => name)
  },

  failed: (db, { before, most }) =>
    db.all<Job>`
      SELECT * FROM jobs
      WHERE failed_at <= ${before.failedAt} AND (failed_at < ${before.failedAt} OR id < ${before.id})
      ORDER BY failed_at DESC, id DESC LIMIT ${most}`,
} satisfies Partial<Jobs>
