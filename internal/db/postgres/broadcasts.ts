import type { Broadcast, Broadcasts } from '../broadcasts.ts'

export const broadcasts: Broadcasts = {
  insert: async (tx, { channel, event, at }) => {
    await tx.first`
      WITH added AS (
        INSERT INTO broadcasts (channel, event, created_at) VALUES (${channel}, ${event}, ${at})
        RETURNING id, channel, event, current_schema() AS schema)
      SELECT pg_notify('broadcasts', row_to_json(added)::text) FROM added`
  },

  recent: (db, { channel, from, until }) =>
    db.all<Broadcast>`
      SELECT id, channel, event FROM broadcasts
      WHERE created_at BETWEEN ${from} AND ${until} AND channel = ${channel}
      ORDER BY id`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM broadcasts
    WHERE id = ANY(ARRAY(
      SELECT id FROM broadcasts WHERE created_at < ${before} ORDER BY created_at LIMIT ${most}))`,
}
