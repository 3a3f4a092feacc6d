import { expect, onTestFinished, test } from 'vitest'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import {
  noon,
  temporaryDatabase,
  temporaryFolder,
  unusedAddress,
} from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { scriptIn } from '../../testing/mysql/script.ts'
import { DatabaseBusy, type Db, type Tx } from '../db.ts'
import { addresses, serverOf } from './address.ts'
import { cache } from './cache.ts'
import { Connection } from './connection.ts'
import { openDatabase } from './driver.ts'
import { users } from './users.ts'

test('values are read back as they were written, and times in UTC whatever the server’s time zone', async () => {
  const { db, address } = await temporaryDatabase()
  await scriptIn(
    address,
    'CREATE TABLE odd (n BIGINT, x DOUBLE, yes BOOLEAN, at DATETIME(6), b BLOB, t LONGTEXT)',
  )
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const latest = new Date('9999-12-31T23:59:59.999Z')
  const text = `\u{1f469} 'quoted' "too" \\ \0 ? \n`
  for (const n of [2 ** 53 - 1, 2n ** 62n, -1])
    await db.run`INSERT INTO odd VALUES (${n}, ${0.1}, ${n === -1}, ${latest}, ${bytes}, ${text})`
  const rest = { x: 0.1, at: latest, b: bytes, t: text }
  const rows = [
    { n: -1, yes: true, ...rest },
    { n: 2 ** 53 - 1, yes: false, ...rest },
    { n: 2n ** 62n, yes: false, ...rest },
  ]
  expect(await allOdd(db)).toEqual(rows)
  const again = async (tx: Tx) => {
    const deleted = tx.run`DELETE FROM odd WHERE n = ${-1}`
    const [lost] = rows
    const values = [lost?.n ?? 0, 0.1, true, latest, bytes, text] as const
    const [n, x, yes, at, b, t] = values
    const added = tx.run`INSERT INTO odd VALUES (${n}, ${x}, ${yes}, ${at}, ${b}, ${t})`
    return [await deleted, await added, await allOdd(tx)]
  }
  // Statements issued at once go to the server in one text.
  expect(await db.transaction(again)).toEqual([1, 1, rows])
})

test('a comparison is read as true or false in sorted and grouped rows too, and a one-digit column as a number', async () => {
  const { db, address } = await temporaryDatabase()
  await scriptIn(address, 'CREATE TABLE digits (n BIGINT, one BIGINT(1), two INT(1))')
  for (const n of [1, 2]) await db.run`INSERT INTO digits VALUES (${n}, ${n + 4}, ${n + 6})`
  const sorted = await db.all`SELECT n > 1 AS more, one, two FROM digits ORDER BY rand() * 0, n`
  const grouped = await db.all`
    SELECT n > 1 AS more, count(*) AS in_all FROM digits GROUP BY n > 1 ORDER BY in_all, more`
  expect(sorted).toEqual([
    { more: false, one: 5, two: 7 },
    { more: true, one: 6, two: 8 },
  ])
  expect(grouped).toEqual([
    { more: false, inAll: 1 },
    { more: true, inAll: 1 },
  ])
})

function allOdd(db: Db): Promise<object[]> {
  return db.all<object>`SELECT * FROM odd ORDER BY n`
}

test('values are read back as they were written without prepared statements', async () => {
  const { address } = await temporaryDatabase()
  const url = new URL(urlOf(address))
  url.searchParams.set('prepare', 'false')
  const db = await openDatabase({ url: url.href })
  onTestFinished(() => db.close())
  const name = `Ann's "name" \\ \u{1f469} ?`
  const user = await addUser(db, { ...ann, name })
  expect(user).toMatchObject({ name, createdAt: noon, emailVerifiedAt: null })
})

test('emails are unique ignoring case but not accents; other strings compare exactly', async () => {
  const { db } = await temporaryDatabase()
  const insert = (email: string, emailKey: string) =>
    db.transaction((tx) => users.insert(tx, { ...ann, email, emailKey }))
  await insert('zoe@x.test', 'zoe@x.test')
  expect(await insert('ZOE@x.test', 'another')).toBeUndefined()
  expect(await insert('zoé@x.test', 'zoé@x.test')).toMatchObject({ email: 'zoé@x.test' })
  await cache.put(db, { key: 'Key', value: 'x', endsAt: new Date(8.64e15 / 100) })
  expect(await cache.get(db, { key: 'key', now: noon, latest: new Date('9999-12-31') })).toBe(
    undefined,
  )
  expect(await cache.get(db, { key: 'Key ', now: noon })).toBe(undefined)
})

const bob = { ...ann, email: 'b@x.test', emailKey: 'b@x.test' }

test('a transaction continues after a write that violates a unique constraint', async () => {
  const { db } = await temporaryDatabase()
  await addUser(db)
  await db.transaction(async (tx) => {
    expect(await users.insert(tx, ann)).toBeUndefined()
    await users.insert(tx, bob)
  })
  expect(await users.isTaken(db, bob.emailKey)).toBe(true)
})

test('a failing statement among several sent at once leaves the others unaffected', async () => {
  const { db } = await temporaryDatabase()
  await addUser(db)
  const names = ['ann', 'b', 'ann', 'c', 'ann']
  const settled = await db.transaction((tx) =>
    Promise.allSettled([
      ...names.map((name) => add(tx, name)),
      tx.all<object>`SELECT name FROM users WHERE length(name) = 1 ORDER BY id`,
    ]),
  )
  expect(
    settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code)),
  ).toEqual(['ER_DUP_ENTRY', 1, 'ER_DUP_ENTRY', 1, 'ER_DUP_ENTRY', [{ name: 'b' }, { name: 'c' }]])
  expect(await users.isTaken(db, 'c@example.com')).toBe(true)
})

function add(tx: Tx, name: string): Promise<number> {
  const email = `${name}@example.com`
  return tx.run`
    INSERT INTO users (name, email, email_key, created_at) VALUES (${name}, ${email}, ${email}, ${noon})`
}

test('a write counts all rows it matched, even those it did not change', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  const set = () => db.transaction((tx) => users.setPhoto(tx, { id, photo: 'a' }))
  expect([await set(), await set()]).toEqual([true, true])
})

test('a statement that takes too long is ended by the server, and its connection stays open', async () => {
  const { db: first, address } = await temporaryDatabase()
  await addUser(first)
  const url = new URL(urlOf(address))
  url.searchParams.set('max', '1')
  const db = await openDatabase({ url: url.href })
  onTestFinished(() => db.close())
  const connection = () => db.first<object>`SELECT CONNECTION_ID() AS id`
  const before = await connection()
  await expect(db.first`SELECT name, SLEEP(10) FROM users`).rejects.toThrow(DatabaseBusy)
  expect(await connection()).toEqual(before)
})

test('a transaction that waited too long for a lock is run again, and afterCommit runs only once', async () => {
  const { db, address } = await temporaryDatabase()
  const { id } = await addUser(db)
  const holder = await Connection.open(serverOf(address))
  onTestFinished(() => holder.end())
  await holder.script('START TRANSACTION')
  await holder.ask('SELECT 1 FROM users WHERE id = ? FOR UPDATE', [id])
  let [runs, afterCommits] = [0, 0]
  await db.transaction(async (tx) => {
    tx.afterCommit(() => void afterCommits++)
    if (++runs === 2) await holder.script('ROLLBACK')
    await users.setPhoto(tx, { id, photo: `${runs}` })
  })
  expect([runs, afterCommits]).toEqual([2, 1])
  expect(await users.byId(db, id)).toMatchObject({ photo: '2' })
})

test('a transaction that the server ended takes no further statement, even if the error was ignored', async () => {
  const { db, address } = await temporaryDatabase({ wait: 1000 })
  const { id } = await addUser(db)
  const holder = await Connection.open(serverOf(address))
  onTestFinished(() => holder.end())
  await holder.script('START TRANSACTION')
  await holder.ask('SELECT 1 FROM users WHERE id = ? FOR UPDATE', [id])
  const changed = db.transaction(async (tx) => {
    await users.setPhoto(tx, { id, photo: 'a' }).catch(() => {})
    await tx.run`DELETE FROM cache`
  })
  await expect(changed).rejects.toThrow(DatabaseBusy)
})

test('statements sent at once return the same results as sent alone, however they are written', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  const results = await db.transaction((tx) =>
    Promise.all([
      tx.run`UPDATE users SET name = ${'b;'} WHERE id = ${id}; `,
      tx.all<object>`(SELECT name FROM users)`,
      tx.run`UPDATE users SET name = ${'c'} WHERE id = ${id} -- once`,
      tx.all<object>`/* all */ SELECT name FROM users`,
      tx.all<object>`TABLE cache`,
      tx.run`UPDATE users SET name = concat(name, '?') WHERE id = ${id} # once`,
      tx.first<object>`SELECT name FROM users`,
    ]),
  )
  expect(results).toEqual([1, [{ name: 'b;' }], 1, [{ name: 'c' }], [], 1, { name: 'c?' }])
})

test('statements sent at once fail as soon as their connection is cut', async () => {
  const { db, address } = await temporaryDatabase()
  const { id } = await addUser(db)
  const other = await Connection.open(serverOf(address))
  onTestFinished(() => other.end())
  const changed = db.transaction((tx) =>
    Promise.all([users.setPhoto(tx, { id, photo: 'a' }), tx.run`DO sleep(30)`]),
  )
  const cut = expect(changed).rejects.toThrow(/^The database could not be asked: Connection lost/)
  const asking = `
    SELECT id FROM information_schema.processlist
    WHERE db = DATABASE() AND info LIKE '%sleep%' AND id <> CONNECTION_ID()`
  const { promise: sleeping, resolve } = Promise.withResolvers<unknown>()
  await expect
    .poll(async () => (await other.rows(asking)).map(([id]) => resolve(id)))
    .toHaveLength(1)
  await other.script(`KILL CONNECTION ${Number(await sleeping)}`)
  await cut
  expect(await users.byId(db, id)).toMatchObject({ photo: null })
})

function opening(url: string): Promise<unknown> {
  return openDatabase({ url }).catch((error: unknown) => String(error))
}

test('a missing database, a refused login or an unreachable server is reported without the password', async () => {
  const address = await unusedAddress()
  const { hosts, user } = serverOf(address)
  const at = `${hosts[0]?.host}:${hosts[0]?.port}`
  expect(await opening(`mysql://${user}:app@${at}/nowhere`)).toBe(
    `Unreachable: The database server ${at} has no database "nowhere": make it with CREATE DATABASE and GRANT ALL ON it to "${user}", or set DB_URL to another.`,
  )
  const refused = await opening(`mysql://${user}:hunter2@${at}/nowhere`)
  expect(refused).toContain(`The database server ${at} refuses the login of "${user}": set user`)
  expect(refused).not.toContain('hunter2')
  expect(await opening(`mysql://${user}@127.0.0.1:1/x`)).toContain(
    'cannot be reached (ECONNREFUSED)',
  )
})

test('DB_URL is read with MySQL’s defaults, and every fault in it is reported', () => {
  expect(
    serverOf({ url: 'mysql://a:p%40@[::1]/d?sslmode=require&max=3&prepare=false' }),
  ).toMatchObject({ hosts: [{ host: '::1', port: 3306 }], password: 'p@', max: 3, prepare: false })
  const socket = `${temporaryFolder()}/mysqld.sock`
  expect(serverOf({ url: `mysql://a@/d?host=${socket}` }).hosts).toMatchObject([{ host: socket }])
  const faults = addresses.faultsOf('mysql://a:hunter2@one,two/d?target_session_attrs=any')
  expect(faults).toEqual([
    'After the ? there may be host, sslmode, sslrootcert, max, connect_timeout and prepare, and nothing else.',
    'Name one host.',
  ])
  expect(addresses.faultsOf('sql://a@h/d')).toEqual([
    'Write mysql://user:password@host:port/database, with what to add after a ?.',
  ])
})
