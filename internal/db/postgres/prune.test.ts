import { expect, test } from 'vitest'
import { broadcasts } from '#db/broadcasts'
import { browsers } from '#db/browsers'
import { cache } from '#db/cache'
import { jobs } from '#db/jobs'
import { logins } from '#db/logins'
import { notifications } from '#db/notifications'
import { sessions } from '#db/sessions'
import { throttles } from '#db/throttles'
import { addUser } from '../../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../../testing/database/database.ts'
import { rowsRead } from '../../testing/database/rows-read.ts'
import type { Db } from '../db.ts'

/** Rows of one account, numbered from one to another, with their end. */
interface Some {
  readonly userId: number
  readonly from: number
  readonly to: number
  readonly at: Date
}

interface Pruned {
  readonly add: (db: Db, some: Some) => Promise<unknown>
  readonly prune: (db: Db) => Promise<unknown>
}

const most = 100
const ended = { now: noon, before: noon, most }

const tables: Readonly<Record<string, Pruned>> = {
  broadcasts: {
    add: (db, { from, to, at }) => db.run`
      INSERT INTO broadcasts (channel, event, created_at)
      SELECT 'all', 'notification', ${at}::timestamptz
      FROM generate_series(${from}::int, ${to}::int)`,
    prune: (db) => broadcasts.prune(db, ended),
  },
  browsers: {
    add: (db, { userId, from, to, at }) => db.run`
      INSERT INTO browsers (user_id, hash, last_login_at)
      SELECT ${userId}::bigint, sha256(n::text::bytea), ${at}::timestamptz
      FROM generate_series(${from}::int, ${to}::int) AS n`,
    prune: (db) => browsers.prune(db, ended),
  },
  cache: {
    add: (db, { from, to, at }) => db.run`
      INSERT INTO cache (key, value, ends_at)
      SELECT n::text, '{}', ${at}::timestamptz
      FROM generate_series(${from}::int, ${to}::int) AS n`,
    prune: (db) => cache.prune(db, ended),
  },
  'jobs that failed': {
    add: (db, { from, to, at }) => db.run`
      INSERT INTO jobs (name, failed_at, created_at)
      SELECT 'mail', ${at}::timestamptz, ${at}::timestamptz
      FROM generate_series(${from}::int, ${to}::int)`,
    prune: (db) => jobs.prune(db, ended),
  },
  logins: {
    add: (db, { userId, from, to, at }) => db.run`
      INSERT INTO logins
        (key, user_id, user_agent, address, remember, logged_in_at, last_seen_at, ends_at)
      SELECT sha256(n::text::bytea), ${userId}::bigint, '', '', false,
        ${noon}::timestamptz, ${noon}::timestamptz, ${at}::timestamptz
      FROM generate_series(${from}::int, ${to}::int) AS n`,
    prune: (db) => logins.prune(db, ended),
  },
  notifications: {
    add: (db, { userId, from, to, at }) => db.run`
      INSERT INTO notifications (user_id, kind, created_at, read_at)
      SELECT ${userId}::bigint, 'new-login', ${noon}::timestamptz, ${at}::timestamptz
      FROM generate_series(${from}::int, ${to}::int)`,
    prune: (db) => notifications.prune(db, ended),
  },
  sessions: {
    add: (db, { from, to, at }) => db.run`
      INSERT INTO sessions (key, payload, ends_at)
      SELECT sha256(n::text::bytea), '', ${at}::timestamptz
      FROM generate_series(${from}::int, ${to}::int) AS n`,
    prune: (db) => sessions.prune(db, ended),
  },
  throttles: {
    add: (db, { from, to, at }) => db.run`
      INSERT INTO throttles (key, tries, ends_at)
      SELECT sha256(n::text::bytea), 1, ${at}::timestamptz
      FROM generate_series(${from}::int, ${to}::int) AS n`,
    prune: (db) => throttles.prune(db, ended),
  },
}

test.each(Object.entries(tables))(
  'pruning %s finds ended rows by an index even when many have ended',
  async (_, { add, prune }) => {
    const { db } = await temporaryDatabase()
    const { id: userId } = await addUser(db)
    // Ended rows come after the rest, as when a table was restored, or those that ended early are deleted already.
    await add(db, { userId, from: 1, to: 3000, at: later(60_000) })
    await add(db, { userId, from: 3001, to: 5000, at: later(-60_000) })
    await db.run`ANALYZE`
    let read = 0
    const counting: Pick<Db, 'run'> = {
      run: async (sql, ...values) => {
        read += await rowsRead(db, sql, values)
        return 0
      },
    }
    await prune(counting as Db)
    expect(read).toBeGreaterThanOrEqual(most)
    expect(read).toBeLessThan(1000)
  },
)
