import { alike } from '../alike/tokens.ts'
import type { Tokens } from '../tokens.ts'
import type { Wrote } from './connection.ts'

export const tokens: Tokens = {
  ...alike,

  insert: async (tx, { userId, hash, name, abilities, expiresAt, at, most }) => {
    const wrote = await tx.first<Wrote>`
      INSERT INTO access_tokens (user_id, hash, name, abilities, expires_at, created_at)
      SELECT ${userId}, ${hash}, ${name}, ${abilities}, ${expiresAt}, ${at}
      WHERE (SELECT count(*) FROM access_tokens WHERE user_id = ${userId}) < ${most}`
    return wrote?.matched === 1 ? wrote.insertId : undefined
  },

  isGone: async (db, id) =>
    (await db.first`
      SELECT 1 FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = 'access_tokens' AND auto_increment > ${id}
        AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE id = ${id})`) !== undefined,
}
