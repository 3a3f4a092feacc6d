import type { Broadcast, Broadcasts } from '../broadcasts.ts'

export const broadcasts: Broadcasts = {
  insert: async (tx, { channel, event, at }) => {
    await tx.run`
      INSERT INTO broadcasts (channel, event, created_at) VALUES (${channel}, ${event}, ${at})`
  },

  lastId: async (db) => {
    const last = await db.first<{ id: number | null }>`SELECT max(id) AS id FROM broadcasts`
    return last?.id ?? 0
  },

  recent: (db, { channel, from, upTo }) =>
    db.all<Broadcast>`
      SELECT id, channel, event FROM broadcasts
      WHERE created_at >= ${from} AND channel = ${channel} AND +id <= ${upTo}
      ORDER BY +id`,

  after: (db, id) =>
    db.all<Broadcast>`
      SELECT id, channel, event FROM broadcasts WHERE id > ${id} ORDER BY id LIMIT 1000`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM broadcasts
    WHERE id IN (SELECT id FROM broadcasts WHERE created_at < ${before} LIMIT ${most})`,
}
