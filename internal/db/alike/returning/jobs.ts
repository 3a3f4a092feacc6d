import type { Jobs } from '../../jobs.ts'

/** Statements for databases that have RETURNING. */
export const returning = {
  insert: async (tx, { name, payload, at, due = null }) => {
    const job = await tx.first<{ id: number }>`
      INSERT INTO jobs (name, payload, run_at, created_at)
      VALUES (${name}, ${payload}, ${due}, ${at})
      RETURNING id`
    if (!job) throw new Error('The job was not kept.')
    return job.id
  },
} satisfies Partial<Jobs>
