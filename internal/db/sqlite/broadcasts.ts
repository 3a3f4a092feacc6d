import type { Broadcasts } from '../broadcasts.ts'

export const broadcasts: Broadcasts = {
  prune: (db, { before, most }) => db.run`
    DELETE FROM broadcasts
    WHERE id IN (SELECT id FROM broadcasts WHERE created_at < ${before} LIMIT ${most})`,
}
