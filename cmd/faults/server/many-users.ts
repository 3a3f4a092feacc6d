import { setTimeout as pause } from 'node:timers/promises'
import { sha256 } from '../../../internal/base/crypto/random.ts'
import { serverOf } from '../../../internal/db/postgres/address.ts'
import { Connection } from '../../../internal/db/postgres/connection.ts'
import { dbOf } from '../../../internal/db/postgres/statements.ts'
import { addUsers } from '../../../internal/testing/postgres/many-users.ts'
import { browserId, emailOf, password, passwords } from '../../../internal/testing/fill.ts'
import { changes, isMade } from '../changes.ts'
import { Visitor } from '../client.ts'
import type { Extent, Tried } from '../fault.ts'
import { count, most, ms } from '../figures.ts'
import { run, start } from '../servers.ts'
import { until } from '../until.ts'
import { startDatabase } from './database-server.ts'

// The token that one of them revokes is somebody else's here.
const made = changes.filter(({ what }) => what !== 'revoke a token')

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
// Rows that one may read from a table's beginning, such as to see whether there are any.
const fewRows = 1000
const longestWait = 60_000
// PostgreSQL tells of what was read ten seconds later at most.
const untilTold = 11_000

/** Everything that people and jobs do once on a PostgreSQL with a million users, none of which reads a whole table. */
export async function manyUsers(extent: Extent): Promise<readonly Tried[]> {
  const users = extent.quick ? 50_000 : 1_000_000
  const { settings } = await startDatabase(extent)
  await run(['migrate'], { settings })
  const connection = await Connection.open(serverOf({ url: settings['DB_URL'] ?? '' }))
  await fillAll(connection, users)
  const server = await start({ settings })
  const visitor = new Visitor(server)
  // As it starts it looks through all users for values to seal anew.
  await pause(untilTold)
  const before = await readOf(connection)
  const not: string[] = []
  const took: number[] = []
  const lookAt = async (look: Visitor) => {
    for (const page of pages) {
      const began = performance.now()
      const { status } = await look.get(page)
      took.push(performance.now() - began)
      if (status >= 400) not.push(`${page} answered ${status}`)
    }
  }
  const someone = new Visitor(server)
  await someone.logIn(emailOf(users / 2))
  await lookAt(someone)
  for (const change of made) {
    if (!isMade(change, await change.make(visitor))) not.push(`${change.what} was not done`)
    if (change.what === 'rename') await lookAt(visitor)
  }
  await prune(connection)
  await pause(untilTold)
  const after = await readOf(connection)
  const whole = [...after]
    .map(([table, rows]) => ({ table, rows: rows - (before.get(table) ?? 0) }))
    .filter(({ table, rows }) => rows > fewRows + (table === 'jobs' ? jobsOf(users) : 0))
  await connection.end()
  const { code } = await server.stop()
  return [
    {
      fault: `${count(users)} users, and all that people and jobs do once`,
      promise: 'no statement reads a whole table, but that of jobs as an account is deleted',
      measured:
        `${count(made.length)} changes, ${count(took.length)} pages (the slowest ${ms(most(took))}), each kind of pruning; ` +
        (whole.map(({ table, rows }) => `${count(rows)} rows of ${table} read`).join(', ') ||
          'none read') +
        (not.length > 0 ? `; ${not.join(', ')}` : ''),
      holds: whole.length === 0 && not.length === 0 && code === 0,
    },
  ]
}

/** Those that have failed, and as many of what else only some users have. */
function jobsOf(users: number): number {
  return Math.round(users / 10)
}

async function fillAll(connection: Connection, users: number): Promise<void> {
  const now = new Date()
  const hash = await passwords.hashPassword(password, '')
  const endsAt = new Date(now.getTime() + 60 * 60 * 1000)
  const many = { users, hash, now, endsAt, browser: sha256(browserId) }
  await addUsers(dbOf(connection), many)
  const key = 'sha256(uuid_send(gen_random_uuid()))'
  const some = jobsOf(users)
  await connection.script(`
    INSERT INTO notifications (user_id, kind, data, created_at, read_at)
      SELECT id, 'new-login', '{}', now(), CASE WHEN id % 2 = 0 THEN now() END FROM users;
    INSERT INTO access_tokens (user_id, hash, name, abilities, created_at)
      SELECT id, ${key}, 'Mine', '["user:read"]', now() FROM users WHERE id % 10 = 0;
    INSERT INTO passkeys
        (user_id, credential_id, public_key, name, aaguid, backup_eligible, backed_up, created_at)
      SELECT id, ${key}, '\\x00', 'Mine', decode(repeat('00', 16), 'hex'), false, false, now()
      FROM users WHERE id % 10 = 1;
    INSERT INTO throttles (key, tries, ends_at)
      SELECT ${key}, 1, now() + interval '1 hour' FROM generate_series(1, ${some});
    INSERT INTO sessions (key, user_id, payload, ends_at)
      SELECT ${key}, id, '', now() + interval '1 hour' FROM users WHERE id % 10 = 2;
    INSERT INTO jobs (name, payload, created_at, failed_at)
      SELECT 'ResetMail', '{"email":"user' || n || '@example.com"}', now(), now()
      FROM generate_series(1, ${some}) AS n;
    INSERT INTO broadcasts (channel, event, created_at)
      SELECT 'users.' || n, 'notification', now() FROM generate_series(1, ${some}) AS n`)
  await connection.script('ANALYZE')
}

/** Has each kind of pruning done once by the server. */
async function prune(connection: Connection): Promise<void> {
  const kinds = ['jobs', 'logins', 'throttles', 'sessions', 'cache', 'broadcasts', 'notifications']
  const ids: number[] = []
  for (const kind of kinds) {
    const sql = 'INSERT INTO jobs (name, created_at) VALUES ($1, now()) RETURNING id'
    const [job] = (await connection.ask(sql, [`prune-${kind}`])) as unknown as [{ id: number }]
    ids.push(job.id)
  }
  const left = () => connection.ask('SELECT 1 FROM jobs WHERE id >= $1', [Math.min(...ids)])
  await until(async () => (await left()).length === 0, longestWait)
}

/** How many rows of each table were read in one after the other so far. */
async function readOf(connection: Connection): Promise<Map<string, number>> {
  const rows = await connection.ask('SELECT relname, seq_tup_read FROM pg_stat_user_tables')
  const read = Array.from(rows) as { relname: string; seqTupRead: number }[]
  return new Map(read.map(({ relname, seqTupRead }) => [relname, seqTupRead]))
}
