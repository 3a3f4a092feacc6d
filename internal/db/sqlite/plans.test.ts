import { expect, test } from 'vitest'
import type { Database, Db, Tx, Value } from '../db.ts'
import { broadcasts } from './broadcasts.ts'
import { browsers } from './browsers.ts'
import { jobs } from './jobs.ts'
import { logins } from './logins.ts'
import { notifications } from './notifications.ts'
import { sessions } from './sessions.ts'
import { keyOf } from '../../testing/database/user-rows.ts'
import { temporaryDatabase, noon } from '../../testing/database/database.ts'
import { throttles } from './throttles.ts'
import { tokens } from './tokens.ts'
import { users } from './users.ts'

/** A value that is bound as `(SELECT …)`. */
const ofValue = /^(SCALAR SUBQUERY|SCAN CONSTANT ROW)/

/** Returns the steps with which SQLite runs the statement sent by `ask`. */
async function planOf(db: Database, ask: (explaining: Db) => Promise<unknown>): Promise<string[]> {
  const plan: string[] = []
  const explain = async ([first = '', ...rest]: TemplateStringsArray, values: Value[]) => {
    const sql = [`EXPLAIN QUERY PLAN ${first}`, ...rest]
    const steps = await db.all<{ detail: string }>(Object.assign(sql, { raw: sql }), ...values)
    plan.push(...steps.map(({ detail }) => detail).filter((detail) => !ofValue.test(detail)))
  }
  const explaining: Db = {
    first: (sql, ...values) => explain(sql, values).then(() => undefined),
    all: (sql, ...values) => explain(sql, values).then(() => []),
    run: (sql, ...values) => explain(sql, values).then(() => 0),
  }
  await ask(explaining)
  return plan
}

const key = keyOf('a key')

test('a visit searches four indexes', async () => {
  const { db } = await temporaryDatabase()
  const plan = await planOf(db, (explaining) =>
    logins.visit(explaining, key, { now: noon, mostUnread: 100 }),
  )
  expect(plan.filter((step) => /^(SEARCH|SCAN) (?!CONSTANT)/.test(step))).toEqual([
    'SEARCH l USING INDEX sqlite_autoindex_logins_1 (key=?)',
    'SEARCH u USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH passkeys USING COVERING INDEX passkeys_user_id (user_id=?)',
    'SEARCH notifications USING COVERING INDEX notifications_unread (user_id=? AND read_at=?)',
    // Of those, no more than the bell counts.
    'SCAN n',
  ])
})

test('an API token and its user are found by an index', async () => {
  const { db } = await temporaryDatabase()
  const plan = await planOf(db, (explaining) => tokens.use(explaining, { hash: key, now: noon }))
  expect(plan.filter((step) => /^(SEARCH|SCAN) (?!CONSTANT)/.test(step))).toEqual([
    'SEARCH t USING INDEX sqlite_autoindex_access_tokens_1 (hash=?)',
    'SEARCH u USING INTEGER PRIMARY KEY (rowid=?)',
  ])
})

test('the queries of a login or registration each use an index', async () => {
  const { db } = await temporaryDatabase()
  expect(await planOf(db, (explaining) => users.byEmailKey(explaining, 'x'))).toEqual([
    'SEARCH users USING INDEX sqlite_autoindex_users_1 (email_key=?)',
  ])
  expect(await planOf(db, (explaining) => users.byId(explaining, 1))).toEqual([
    'SEARCH users USING INTEGER PRIMARY KEY (rowid=?)',
  ])
  const visit = { key, now: noon, endsAt: noon, before: noon }
  expect(await planOf(db, (explaining) => logins.markSeen(explaining, visit))).toEqual([
    'SEARCH logins USING INDEX sqlite_autoindex_logins_1 (key=?)',
  ])
  expect(await planOf(db, (explaining) => sessions.find(explaining, { key, now: noon }))).toEqual([
    'SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (key=?)',
  ])
  expect(await planOf(db, (explaining) => throttles.clear(explaining, key))).toEqual([
    'SEARCH throttles USING PRIMARY KEY (key=?)',
  ])
})

test('the browsers, logins and notifications of a user are found by an index', async () => {
  const { db } = await temporaryDatabase()
  expect(
    await planOf(db, (explaining) =>
      browsers.forget(explaining as Tx, { userId: 1, before: noon }),
    ),
  ).toEqual(['SEARCH browsers USING PRIMARY KEY (user_id=?)'])
  expect(
    await planOf(db, (explaining) =>
      logins.ofUser(explaining, { userId: 1, now: noon, first: key, most: 100 }),
    ),
  ).toEqual([
    'SEARCH logins USING INDEX logins_user_id (user_id=?)',
    'USE TEMP B-TREE FOR ORDER BY',
  ])
  const listed = { userId: 1, skip: 20, most: 20 }
  for (const list of ['list', 'listOldest'] as const)
    expect(await planOf(db, (explaining) => notifications[list](explaining, listed))).toEqual([
      'SEARCH notifications USING INDEX notifications_user_id (user_id=?)',
    ])
  expect(
    await planOf(db, (explaining) =>
      notifications.listUnread(explaining, { userId: 1, most: 20, arrived: true }),
    ),
  ).toEqual([
    'SEARCH notifications USING INDEX notifications_unread (user_id=? AND read_at=?)',
    'SEARCH notifications USING INDEX notifications_user_id (user_id=?)',
  ])
  const counted = { userId: 1, most: 100 }
  expect(
    await planOf(db, (explaining) => notifications.countUnreadTo(explaining, counted)),
  ).toContain(
    'SEARCH notifications USING COVERING INDEX notifications_unread (user_id=? AND read_at=?)',
  )
  expect(await planOf(db, (explaining) => notifications.countUnread(explaining, 1))).toEqual([
    'SEARCH notifications USING COVERING INDEX notifications_unread (user_id=? AND read_at=?)',
  ])
})

test('jobs are claimed, notifications listed and rows pruned by an index', async () => {
  const { db } = await temporaryDatabase()
  const steps = async (ask: (explaining: Db) => Promise<unknown>) =>
    (await planOf(db, ask)).join('; ')
  expect(
    await steps(
      (explaining) => explaining.first`
        SELECT id FROM jobs
        WHERE name = ${'x'} AND run_at <= ${noon} AND failed_at IS NULL AND claimed_by IS NULL
        ORDER BY run_at LIMIT 1`,
    ),
  ).toBe('SEARCH jobs USING INDEX jobs_due (name=? AND run_at<?)')
  const within = { name: 'x', userId: 1, after: noon, until: noon }
  expect(await steps((explaining) => jobs.cancelLater(explaining as Tx, within))).toBe(
    'SEARCH jobs USING INDEX jobs_due (name=? AND run_at>? AND run_at<?)',
  )
  expect(
    await steps(
      (explaining) =>
        explaining.all`SELECT * FROM notifications WHERE user_id = ${1} ORDER BY id DESC LIMIT 20`,
    ),
  ).toBe('SEARCH notifications USING INDEX notifications_user_id (user_id=?)')
  expect(
    await steps(
      (explaining) => explaining.all`SELECT key FROM logins WHERE ends_at <= ${noon} LIMIT 500`,
    ),
  ).toBe('SEARCH logins USING INDEX logins_ends_at (ends_at<?)')
  expect(
    await steps((explaining) => browsers.prune(explaining, { before: noon, most: 500 })),
  ).toContain('SEARCH browsers USING COVERING INDEX browsers_last_login_at (last_login_at<?)')
})

test('the events since a page request are found by an index on their time', async () => {
  const { db } = await temporaryDatabase()
  const ask = { channel: 'users.1', from: noon, until: noon }
  expect(await planOf(db, (explaining) => broadcasts.recent(explaining, ask))).toContain(
    'SEARCH broadcasts USING INDEX broadcasts_created_at (created_at>? AND created_at<?)',
  )
})

test('every query that looks at jobs uses an index', async () => {
  const { db } = await temporaryDatabase()
  const due = { now: noon, beyond: noon }
  const before = { failedAt: noon, id: 1 }
  const steps = [
    await planOf(db, (explaining) => jobs.dueNames(explaining, ['x', 'y'], due)),
    await planOf(db, (explaining) => jobs.claim(explaining, { name: 'x', by: 'one', ...due })),
    await planOf(db, (explaining) => jobs.waitingNames(explaining)),
    await planOf(db, (explaining) => jobs.claims(explaining)),
    await planOf(db, (explaining) => jobs.releaseOfStopping(explaining, 'one')),
    await planOf(db, (explaining) => jobs.prune(explaining, { before: noon, most: 500 })),
    await planOf(db, (explaining) => jobs.failed(explaining, { before, most: 500 })),
  ].flat()
  const onJobs = steps.filter((step) => /(SEARCH|SCAN) (jobs|j)\b/.test(step))
  expect(onJobs.length).toBeGreaterThan(10)
  expect(
    onJobs.filter((step) => !/USING (COVERING )?INDEX|USING INTEGER PRIMARY/.test(step)),
  ).toEqual([])
})
