import type { Broadcast } from '../broadcasts.ts'
import type { Db } from '../db.ts'
import type { Feeds } from '../feed.ts'
import { PolledFeed } from '../polled-feed.ts'
import { type BroadcastRows, WithGaps } from '../server/with-gaps.ts'

export const feeds: Feeds = {
  open: ({ db }, follower) => new PolledFeed(new WithGaps(rowsOf(db)), follower),
}

function rowsOf(db: Db): BroadcastRows {
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
      FROM JSON_TABLE(${JSON.stringify(gaps)}, '$[*]' COLUMNS (
        low BIGINT PATH '$.low', high BIGINT PATH '$.high')) AS gaps
      JOIN broadcasts AS b ON b.id BETWEEN gaps.low AND gaps.high
      ORDER BY b.id`,
  }
}
