import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { allUsers, setUserNames } from '../../testing/database/rows.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { alterDatabase, script } from '../../testing/postgres/alter-database.ts'
import { CommitInDoubt, DatabaseBusy, type Database, type Tx } from '../db.ts'
import { serverOf } from './address.ts'
import { openDatabase } from './driver.ts'
import { presences } from './presence.ts'
import { users } from './users.ts'

/** Ends every other connection to the database, like a restarting server. */
async function endOthers(db: Database): Promise<void> {
  await db.all`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`
}

const bob = { ...ann, name: 'Bob', email: 'bob@x.test', emailKey: 'bob@x.test' }

test('a failed statement ends the transaction, even if its error is ignored', async () => {
  const { db } = await temporaryDatabase()
  await addUser(db)
  const quiet = db.transaction(async (tx) => {
    await users.insert(tx, bob)
    await tx.run`INSERT INTO users (name) VALUES ('lacks the rest')`.catch(() => {})
  })
  await expect(quiet).rejects.toThrow('null value in column')
  expect((await allUsers(db)).map(({ name }) => name)).toEqual(['Ann'])
})

test('a connection lost within a transaction rolls it back, and the next connection works', async () => {
  const { db, address } = await temporaryDatabase()
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  const cut = db.transaction(async (tx) => {
    await users.insert(tx, ann)
    await endOthers(other)
    await users.insert(tx, bob)
  })
  await expect(cut).rejects.toThrow(DatabaseBusy)
  expect(await allUsers(db)).toEqual([])
  expect((await addUser(db)).name).toBe('Ann')
})

test('a statement that waits too long for a free connection or its turn to write fails as busy', async () => {
  const { address } = await temporaryDatabase()
  const db = await openDatabase({ url: `${urlOf(address)}?max=1` }, { wait: 1000 })
  onTestFinished(() => db.close())
  const isHeld = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await users.insert(tx, ann)
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  const waiting = [allUsers(db), setUserNames(db, 'other')].map((statement) =>
    statement.catch(String),
  )
  const errors = await Promise.all(waiting)
  release.resolve()
  await holding
  const busy = [
    'DatabaseBusy: No connection to the database came free in time.',
    'DatabaseBusy: No turn to write to the database came in time.',
  ]
  expect([errors, (await allUsers(db))[0]?.name]).toEqual([busy, 'Ann'])
})

test('a statement that takes too long is ended by the server, and its connection stays open', async () => {
  const { address } = await temporaryDatabase()
  const db = await openDatabase({ url: `${urlOf(address)}?max=1` })
  onTestFinished(() => db.close())
  const connection = () => db.first<object>`SELECT pg_backend_pid() AS id`
  const before = await connection()
  await expect(db.first`SELECT pg_sleep(10)`).rejects.toThrow(DatabaseBusy)
  expect(await connection()).toEqual(before)
})

test('a transaction that the server ends for taking too long fails as busy', async () => {
  const { address } = await temporaryDatabase()
  await alterDatabase(address, 'transaction_timeout = 1000')
  const db = await openDatabase(address)
  onTestFinished(() => db.close())
  const ended = db.transaction((tx) => tx.first`SELECT pg_sleep(10)`)
  await expect(ended).rejects.toThrow(DatabaseBusy)
})

test('connections turn off the server’s idle_session_timeout', async () => {
  const { address } = await temporaryDatabase()
  await alterDatabase(address, 'idle_session_timeout = 1000')
  const db = await openDatabase(address)
  onTestFinished(() => db.close())
  const [limit] = await db.all`SELECT current_setting('idle_session_timeout') AS value`
  expect(limit).toEqual({ value: '0' })
})

test('whatever isolation the role or the database prefers, a statement alone sees what was committed before it', async () => {
  const { address } = await temporaryDatabase()
  await alterDatabase(address, "default_transaction_isolation = 'repeatable read'")
  const db = await openDatabase(address)
  onTestFinished(() => db.close())
  const [alone] = await db.all`SELECT current_setting('transaction_isolation') AS isolation`
  expect(alone).toEqual({ isolation: 'read committed' })
})

test('no open connection keeps deleted rows from being vacuumed, whatever isolation the database prefers', async () => {
  const { db, address } = await temporaryDatabase()
  await alterDatabase(address, "default_transaction_isolation = 'repeatable read'")
  // As behind a pooler, where nothing is set for a session.
  const lent = { url: `${urlOf(address)}?prepare=false` }
  const presence = await presences.open(lent, () => {})
  const guarded = await openDatabase(lent)
  onTestFinished(async () => void (await Promise.all([presence.end(), guarded.close()])))
  const keeping = () => db.all`
    SELECT query FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL`
  await expect.poll(keeping).toEqual([])
})

test('closing waits for statements under way, and later ones throw', async () => {
  const { db } = await temporaryDatabase()
  const adding = addUser(db)
  await db.close()
  await expect(adding).resolves.toMatchObject({ name: 'Ann' })
  await expect(allUsers(db)).rejects.toThrow('The database is closed.')
})

test('inside a transaction only its tx can be used, and no other transaction can begin', async () => {
  const { db } = await temporaryDatabase()
  const inside = (work: (tx: Tx) => Promise<unknown>) =>
    db.transaction(work).then(String, ({ message }: Error) => message)
  expect(await inside(() => setUserNames(db, 'x'))).toContain(
    'Inside a transaction only its tx is asked',
  )
  expect(await inside(() => allUsers(db))).toContain('hand it to: SELECT')
  expect(await inside(() => db.transaction(async () => {}))).toContain('holds no other')
})

/** Returns why it cannot be opened. */
function openingError(url: string): Promise<string> {
  return openDatabase({ url }).then(String, ({ message }: Error) => message)
}

test('the reason a server cannot be used is one sentence, without the password', async () => {
  const { address } = await temporaryDatabase()
  const url = urlOf(address)
  const host = url.replace(/^.*@|\/.*$/g, '')
  expect(await openingError('postgres://app:hunter2@127.0.0.1:1/d')).toBe(
    'The database server 127.0.0.1:1 cannot be reached (ECONNREFUSED): start it, or set DB_URL to its address, with the right sslmode.',
  )
  expect(await openingError(`postgres://nobody:hunter2@${host}/d`)).toMatch(
    /^The database server \S+ refuses the login of "nobody": set user and password in DB_URL .*\(it says: role "nobody" does not exist\)\.$/,
  )
  expect(await openingError(url.replace(/[^/]*$/, 'nonesuch'))).toBe(
    `The database server ${host} has no database "nonesuch": make it with CREATE DATABASE, owned by "app", or set DB_URL to another.`,
  )
})

test('of several hosts the first that answers is used', async () => {
  const { address } = await temporaryDatabase()
  const url = urlOf(address).replace('@', '@127.0.0.1:1,')
  const db = await openDatabase({ url: `${url}?target_session_attrs=read-write` })
  onTestFinished(() => db.close())
  expect(await allUsers(db)).toEqual([])
})

test('a host that accepts no writes is refused with target_session_attrs=read-write', async () => {
  const { address } = await temporaryDatabase()
  await alterDatabase(address, 'default_transaction_read_only = on')
  const url = urlOf(address)
  const any = await openDatabase({ url })
  onTestFinished(() => any.close())
  expect(await openingError(`${url}?target_session_attrs=read-write`)).toContain(' is a standby')
})

test('writes to a read-only server fail as busy, and succeed once it accepts them again', async () => {
  const { address } = await temporaryDatabase()
  await alterDatabase(address, 'default_transaction_read_only = on')
  const db = await openDatabase(address)
  onTestFinished(() => db.close())
  const refused = [
    await addUser(db).catch((error: unknown) => error),
    await setUserNames(db, 'Eve').catch((error: unknown) => error),
  ]
  const reset = `ALTER DATABASE ${serverOf(address).database} RESET default_transaction_read_only`
  await script(address, `BEGIN READ WRITE; ${reset}; COMMIT`)
  await addUser(db)
  expect(refused).toEqual([expect.any(DatabaseBusy), expect.any(DatabaseBusy)])
  expect(refused.filter((error) => error instanceof CommitInDoubt)).toEqual([])
  expect(await allUsers(db)).toHaveLength(1)
})

test('bytes are read back the same whatever the server’s bytea_output', async () => {
  const { db, address } = await temporaryDatabase()
  await alterDatabase(address, "bytea_output = 'escape'")
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  const bytes = Buffer.from([0, 1, 92, 39, 120, 127, 128, 255])
  const read = [db, other].map((each) => each.first<{ as: Buffer }>`SELECT ${bytes}::bytea AS as`)
  expect((await Promise.all(read)).map((row) => row?.as)).toEqual([bytes, bytes])
})

test('a host that hangs up is passed over among several, and reported when it is the only one', async () => {
  const { address } = await temporaryDatabase()
  let connections = 0
  const hangingUp = createServer((socket) => {
    connections++
    socket.on('error', () => {}).end()
  })
  await once(hangingUp.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void hangingUp.close())
  const host = `127.0.0.1:${(hangingUp.address() as AddressInfo).port}`
  for (const mode of ['disable', 'prefer']) {
    const url = urlOf(address).replace('@', `@${host},`)
    const db = await openDatabase({ url: `${url}?sslmode=${mode}` })
    await db.close()
    connections = 0
    expect(await openingError(`postgres://app@${host}/app?sslmode=${mode}`)).toContain(
      ' cannot be reached (ECONNRESET)',
    )
    expect(connections).toBe(1)
  }
})

test('every time column includes the time zone', async () => {
  const { db } = await temporaryDatabase()
  const times = await db.all<{ type: string }>`
    SELECT data_type AS type FROM information_schema.columns
    WHERE table_schema = current_schema() AND (data_type LIKE '%time%' OR column_name LIKE '%\\_at')`
  expect(new Set(times.map(({ type }) => type))).toEqual(new Set(['timestamp with time zone']))
})

test('two emails that differ only in the case of ASCII letters are the same, whatever their keys', async () => {
  const { db } = await temporaryDatabase()
  await addUser(db)
  const other = { ...ann, email: ann.email.toUpperCase(), emailKey: 'another' }
  expect(await db.transaction((tx) => users.insert(tx, other))).toBeUndefined()
})
