import type { Broadcast } from '../broadcasts.ts'
import type { Db } from '../db.ts'
import type { BroadcastRows } from '../server/with-gaps.ts'

/** Returns the rows of events, for polling behind a pooler, where LISTEN does not work. */
export function rowsOf(db: Db): BroadcastRows {
  return {
    newest: async (most) => {
      const rows = await db.all<{ id: number }>`
        SELECT id FROM broadcasts ORDER BY id DESC LIMIT ${most}`
      return rows.map(({ id }) => id)
    },

    after: (id, most) => db.all<Broadcast>`
      SELECT id, channel, event FROM broadcasts WHERE id > ${id} ORDER BY id LIMIT ${most}`,

    within: (gaps) => db.all<Broadcast>`
      SELECT b.id, b.channel, b.event
      FROM json_to_recordset(${JSON.stringify(gaps)}) AS gaps (low bigint, high bigint)
      JOIN broadcasts AS b ON b.id BETWEEN gaps.low AND gaps.high
      ORDER BY b.id`,
  }
}
