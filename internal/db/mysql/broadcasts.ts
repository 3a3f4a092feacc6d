import type { Broadcast, Broadcasts } from '../broadcasts.ts'

export const broadcasts: Broadcasts = {
  insert: async (tx, { channel, event, at }) => {
    await tx.run`
      INSERT INTO broadcasts (channel, event, created_at) VALUES (${channel}, ${event}, ${at})`
  },

  recent: (db, { channel, from, until }) =>
    db.all<Broadcast>`
      SELECT id, channel, event FROM broadcasts
      WHERE created_at BETWEEN ${from} AND ${until} AND channel = ${channel}
      ORDER BY id`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM broadcasts WHERE created_at < ${before} LIMIT ${most}`,
}
