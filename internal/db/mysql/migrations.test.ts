import { expect, onTestFinished, test, vi } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import {
  migrations,
  noon,
  temporaryDatabase,
  unusedAddress,
} from '../../testing/database/database.ts'
import { nameIn } from '../../testing/mysql/address.ts'
import { proxyDatabase } from '../../testing/network/database-proxy.ts'
import { checkMigrationAdvice, checkRestoreAdvice } from '../../testing/database/held-table.ts'
import { tableHolder, holdMigrations, waitingToMigrate } from '../../testing/mysql/migrating.ts'
import { scriptIn } from '../../testing/mysql/script.ts'
import { snapshots } from './snapshot.ts'
import { hashOf } from '../migrate.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { migrate } from './migrations.ts'
import { health } from './health.ts'
import { openDatabase } from './driver.ts'
import { statementsOf } from './schema/split.ts'

const cats = {
  name: '20270101000000_cats.sql',
  sql: `-- They come first; so it is.
CREATE TABLE cats (id INTEGER, name VARCHAR(9) DEFAULT 'a;b');
CREATE INDEX cats_dogs ON cats (dogs);
CREATE TABLE kittens (id INTEGER);`,
}

async function ranIn(database: DatabaseAddress) {
  const db = await openDatabase(database)
  const ran = await health.ranMigrations(db)
  await db.close()
  return ran
}

test('a migration file is split at the ends of its statements and at no other semicolon', () => {
  expect(statementsOf(cats.sql).map((text) => text.slice(-12))).toEqual(
    ["LT 'a;b')", 'cats (dogs)', '(id INTEGER)'].map(
      (end) => expect.stringMatching(new RegExp(`${end.replace(/[()]/g, '\\$&')}$`)) as string,
    ),
  )
  expect(statementsOf('SELECT 5--3; SELECT 2 --\n; SELECT 3 --')).toHaveLength(3)
  expect(statementsOf('/*!80000 CREATE TABLE a (b INT) */; SELECT 1')).toHaveLength(2)
  expect(statementsOf('-- nothing\n;\n/* ; */ ; # ;\n')).toEqual([])
})

test('a migration that stops half-way reports the statement, what is applied, and what to do', async () => {
  const database = await unusedAddress()
  await expect(migrate(database, [cats], noon)).rejects.toThrow(
    new RegExp(
      `^The migration ${cats.name} failed, and stopped half-way at statement 2 of 3 \\(CREATE INDEX cats_dogs ON cats \\(dogs\\)\\): .*dogs.*The one before it holds; .*DELETE FROM migration_under_way.*finished = TRUE`,
    ),
  )
})

test('the start after a migration stopped half-way fails with the same message and runs nothing', async () => {
  const database = await unusedAddress()
  await migrate(database, [cats], noon).catch(() => {})
  const more = { name: '20270102000000_more.sql', sql: 'CREATE TABLE more (id INTEGER)' }
  const mended = { ...cats, sql: cats.sql.replace('(dogs)', '(id)') }
  await expect(migrate(database, [mended, more], noon)).rejects.toThrow(
    'stopped half-way at statement 2 of 3',
  )
  expect(await ranIn(database)).toEqual([])
})

test('a half-way migration runs again once its changes are undone and its record is deleted', async () => {
  const database = await unusedAddress()
  await migrate(database, [cats], noon).catch(() => {})
  await scriptIn(database, 'DROP TABLE cats', 'DELETE FROM migration_under_way')
  const mended = { ...cats, sql: cats.sql.replace('(dogs)', '(id)') }
  expect(await migrate(database, [mended], noon)).toEqual([cats.name])
})

test('a half-way migration is recorded as run once the rest is run by hand and marked as finished', async () => {
  const database = await unusedAddress()
  await migrate(database, [cats], noon).catch(() => {})
  await scriptIn(
    database,
    'CREATE TABLE kittens (id INTEGER)',
    'UPDATE migration_under_way SET finished = TRUE',
  )
  expect(await migrate(database, [cats], noon)).toEqual([])
  expect(await ranIn(database)).toEqual([{ name: cats.name, hash: hashOf(cats.sql) }])
})

test('a migration whose first statement is refused changes nothing and can be tried again', async () => {
  const database = await unusedAddress()
  const wrong = { ...cats, sql: 'CREATE TABLE cats (id WRONG)' }
  await expect(migrate(database, [wrong], noon)).rejects.toThrow('failed, and left nothing: ')
  expect(
    await migrate(database, [{ ...cats, sql: 'CREATE TABLE cats (id INTEGER)' }], noon),
  ).toEqual([cats.name])
})

test('a start that was killed during a statement is reported by the next start', async () => {
  const database = await unusedAddress()
  await migrate(database, migrations.slice(0, 1), noon)
  const [, logins] = migrations
  await scriptIn(
    database,
    `REPLACE INTO migration_under_way VALUES (1, '${logins?.name}', 1, 3, FALSE)`,
  )
  await expect(migrate(database, migrations, noon)).rejects.toThrow(
    `${logins?.name} failed, and stopped half-way at statement 1 of 3 (CREATE TABLE logins`,
  )
})

test('a migration that waits long for its turn says how to end the one before it, and then runs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const database = await unusedAddress()
  const migration = { ...cats, sql: 'CREATE TABLE cats (id INTEGER)' }
  await holdMigrations(database)
  const advices: string[] = []
  const migrating = migrate(database, [migration], noon, {
    advise: (advice) => void advices.push(advice),
  })
  await expect.poll(() => waitingToMigrate(database)).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  const [, asks = ''] =
    /: (SELECT IS_USED_LOCK\('[^']+'\)) says its number, and KILL ends it\.$/.exec(
      advices[0] ?? '',
    ) ?? []
  const by = await Connection.open(serverOf(database))
  const [[holder] = []] = await by.rows(asks)
  await by.script(`KILL ${String(holder)}`)
  await by.end()
  expect(await migrating).toEqual([cats.name])
})

test('a migration that waits long for another program’s transaction says how to end it, and then runs', () =>
  checkMigrationAdvice(tableHolder))

test('a migration says how to end the transaction it waits for even while a connection writes binary data', async () => {
  const { address } = await temporaryDatabase()
  const writer = await Connection.open(serverOf(address))
  const [[id] = []] = await writer.rows('SELECT CONNECTION_ID()')
  const writing = writer
    .ask('SELECT SLEEP(100), ?', [Buffer.of(255, 254, 128)])
    .catch(() => undefined)
  onTestFinished(async () => {
    await scriptIn(address, `KILL ${String(id)}`)
    await writing
  })
  await checkMigrationAdvice(tableHolder)
})

test('a restore that waits long for another program’s transaction says how to end it, and then finishes', () =>
  checkRestoreAdvice(tableHolder))

test('a restore can follow at once, before the server sees that the previous connection is closed', async () => {
  const database = await unusedAddress()
  const late = await proxyDatabase(database, {}, ({ client, server }) => {
    client.removeAllListeners('close').pipe(server, { end: false })
    server.pipe(client)
  })
  await migrate(late, migrations, noon)
  const first = await snapshots.hold(database, noon)
  expect(await snapshots.hold(late, noon)).toBeUndefined()
  await first?.end()
  const next = await snapshots.hold(database, noon)
  await next?.end()
  expect([first, next]).toEqual([expect.anything(), expect.anything()])
})

test('no restore begins between two statements of a migration', async () => {
  const database = await unusedAddress()
  const gate = await Connection.open(serverOf(database))
  onTestFinished(() => gate.end())
  const lock = `gate of ${nameIn(database)}`
  await gate.ask('SELECT GET_LOCK(?, 0)', [lock])
  const sql = `CREATE TABLE cats (id INTEGER); DO GET_LOCK('${lock}', -1); CREATE TABLE dogs (id INTEGER)`
  const migrating = migrate(database, [{ ...cats, sql }], noon)
  const waiting = () => gate.rows('SELECT 1 FROM migration_under_way WHERE statement = 2')
  await expect.poll(() => waiting().catch(() => [])).toEqual([[1]])
  expect(await snapshots.hold(database, noon)).toBeUndefined()
  await gate.ask('SELECT RELEASE_LOCK(?)', [lock])
  expect(await migrating).toEqual([cats.name])
  await (await snapshots.hold(database, noon))?.end()
})

test('every time column has six digits of a second', async () => {
  const { db } = await temporaryDatabase()
  const times = await db.all<{ named: string; digits: number }>`
    SELECT concat(table_name, '.', column_name) AS named, datetime_precision AS digits
    FROM information_schema.columns
    WHERE table_schema = database() AND data_type IN ('datetime', 'timestamp', 'time')
    ORDER BY 1`
  expect(times.length).toBeGreaterThan(15)
  expect(times.filter(({ digits }) => digits !== 6).map(({ named }) => named)).toEqual([])
})

// The database creates an index for each key by itself.
test('every foreign key to a user cascades or is set to NULL on delete', async () => {
  const { db } = await temporaryDatabase()
  const keys = await db.all<{ named: string; becomes: string }>`
    SELECT concat(c.table_name, '.', c.column_name) AS named, r.delete_rule AS becomes
    FROM information_schema.referential_constraints r
    JOIN information_schema.key_column_usage c USING (constraint_schema, constraint_name, table_name)
    WHERE r.constraint_schema = database() AND r.referenced_table_name = 'users'
    ORDER BY 1`
  expect(keys.length).toBeGreaterThan(5)
  expect(
    keys
      .filter(({ becomes }) => !['CASCADE', 'SET NULL'].includes(becomes))
      .map(({ named }) => named),
    'These keep an account from being deleted: give each ON DELETE CASCADE, or SET NULL.',
  ).toEqual([])
})
