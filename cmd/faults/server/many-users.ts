import { setTimeout as pause } from 'node:timers/promises'
import { sha256 } from '../../../internal/base/crypto/random.ts'
import type { Db } from '../../../internal/db/db.ts'
import * as ofMysql from '../../../internal/testing/mysql/many-users.ts'
import * as ofPostgres from '../../../internal/testing/postgres/many-users.ts'
import {
  browserId,
  emailOf,
  password,
  passwords,
} from '../../../internal/testing/database/fill-database.ts'
import { changes, isConfirmed } from '../tools/changes.ts'
import { Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, maximum, ms } from '../tools/figures.ts'
import { run, start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase } from './database-server.ts'
import { openMeasuredConnection } from './rows-read.ts'
import { newDatabase } from './schema.ts'

// Except revoking a token: the one that this change names belongs to another user here.
const usableChanges = changes.filter(({ name }) => name !== 'revoke a token')

const pages = [
  '/',
  '/login',
  '/register',
  '/forgot-password',
  '/dashboard',
  '/notifications',
  '/settings/profile',
  '/settings/security',
  '/settings/tokens',
  '/settings/appearance',
]
const longestWait = 60_000
// Milliseconds: PostgreSQL reports reads up to ten seconds late.
const statisticsDelay = 11_000

/** Does everything that people and jobs do once, on a server with a million users: nothing may read a whole table. */
export async function manyUsers(extent: Extent): Promise<readonly Verdict[]> {
  const users = extent.quick ? 50_000 : 1_000_000
  const database = await startDatabase(extent, { counts: true })
  const url = await newDatabase(database.settings['DB_URL'] ?? '', 'many', extent)
  const settings = { ...database.settings, DB_URL: url }
  await run(['migrate'], { settings })
  const connection = await openMeasuredConnection(url, extent)
  await fillTables(connection.db, users, extent)
  await connection.analyze()
  const server = await start({ settings })
  const visitor = new Visitor(server)
  // At its start the server reads all users, for values to reseal: not counted.
  await pause(statisticsDelay)
  const before = await connection.rowsRead()
  const faults: string[] = []
  const durations: number[] = []
  const visitPages = async (visitor: Visitor) => {
    for (const page of pages) {
      const began = performance.now()
      const { status } = await visitor.get(page)
      durations.push(performance.now() - began)
      if (status >= 400) faults.push(`${page} answered ${status}`)
    }
  }
  const otherUser = new Visitor(server)
  await otherUser.logIn(emailOf(users / 2))
  await visitPages(otherUser)
  for (const change of usableChanges) {
    if (!isConfirmed(change, await change.make(visitor))) faults.push(`${change.name} was not done`)
    if (change.name === 'rename') await visitPages(visitor)
  }
  await prune(connection.db)
  await pause(statisticsDelay)
  const after = await connection.rowsRead()
  // A tenth of them have a row in the smallest tables. Workers looking for jobs read some hundred rows.
  const readRows = [...after].map(([table, rows]) => ({
    table,
    rows: rows - (before.get(table) ?? 0),
  }))
  const wholeReads = readRows.filter(({ rows }) => rows > users / 20)
  await connection.end()
  const { code } = await server.stop()
  return [
    {
      fault: `${count(users)} users, and all that people and jobs do once`,
      promise:
        'no statement reads a whole table or index: of each less than half of the smallest is read in all',
      figures:
        `${count(usableChanges.length)} changes, ${count(durations.length)} pages (the slowest ${ms(maximum(durations))}), each kind of pruning; ` +
        (wholeReads.map(({ table, rows }) => `${count(rows)} rows of ${table} read`).join(', ') ||
          `${count(maximum(readRows.map(({ rows }) => rows)))} rows of a table read at most`) +
        (faults.length > 0 ? `; ${faults.join(', ')}` : ''),
      isKept: wholeReads.length === 0 && faults.length === 0 && code === 0,
    },
  ]
}

async function fillTables(db: Db, users: number, { database }: Extent): Promise<void> {
  const { addUsers, addOtherRows } = database === 'mysql' ? ofMysql : ofPostgres
  const now = new Date()
  const hash = await passwords.hashPassword(password, '')
  const endsAt = new Date(now.getTime() + 60 * 60 * 1000)
  await addUsers(db, { users, hash, now, endsAt, browser: sha256(browserId) })
  await addOtherRows(db, { now, endsAt })
}

/** Makes the server run each kind of pruning once. */
async function prune(db: Db): Promise<void> {
  const tables = ['jobs', 'logins', 'throttles', 'sessions', 'cache', 'broadcasts', 'notifications']
  const last = await db.first<{ id: number }>`SELECT max(id) AS id FROM jobs`
  for (const table of tables)
    await db.run`INSERT INTO jobs (name, created_at) VALUES (${`prune-${table}`}, ${new Date()})`
  const nextJob = () => db.first`SELECT 1 FROM jobs WHERE id > ${last?.id ?? 0}`
  await until(async () => (await nextJob()) === undefined, longestWait)
}
