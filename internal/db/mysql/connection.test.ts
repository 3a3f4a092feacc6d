import { readFileSync } from 'node:fs'
import { messageOf } from '../../base/error-message.ts'
import { expect, onTestFinished, test } from 'vitest'
import { securedServer } from '../../testing/mysql/secured-server.ts'
import { serverOfVersion, serverThatRefuses } from '../../testing/mysql/server-of-version.ts'
import { startDurableServer } from '../../testing/mysql/durable-server.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { proxyDatabase } from '../../testing/network/database-proxy.ts'
import { DatabaseBusy } from '../db.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { openDatabase } from './driver.ts'
import { snapshots } from './snapshot.ts'
import { health } from './health.ts'

/** Returns `TLSv1.3`, `in the clear`, or why there is no connection. */
async function spokenTo(url: string): Promise<string> {
  try {
    const connection = await Connection.open(serverOf({ url }))
    const [[, tlsVersion] = []] = await connection.rows("SHOW SESSION STATUS LIKE 'Ssl_version'")
    await connection.end()
    return String(tlsVersion) || 'in the clear'
  } catch (error) {
    return messageOf(error)
  }
}

test('a connection over a socket uses no TLS, whatever sslmode says, even for a user’s first login', async () => {
  const { socket } = await securedServer(
    'CREATE DATABASE own',
    "CREATE USER bob@'%' IDENTIFIED BY 'hunter2'",
    "GRANT ALL ON own.* TO bob@'%'",
  )
  const at = (query: string) => `mysql://bob:hunter2@/own?host=${socket}${query}`
  expect(await spokenTo(at('&sslmode=verify-full'))).toBe('in the clear')
  const db = await openDatabase({ url: at('') })
  onTestFinished(() => db.close())
  const there = db.first<object>`
    SELECT host, db AS name FROM information_schema.processlist WHERE id = CONNECTION_ID()`
  expect(await there).toEqual({ host: 'localhost', name: 'own' })
  expect(await spokenTo(at('').replace('s.sock', 'none'))).toContain(' cannot be reached (ENOENT)')
})

test('sslmode decides whether a connection uses TLS and which certificates are trusted', async () => {
  const { port, authority, stranger } = await securedServer()
  const at = (host: string, query: string) =>
    spokenTo(`mysql://app:app@${host}:${port}/mysql?${query}`)
  const verified = `sslmode=verify-full&sslrootcert=${authority}`
  expect(await at('127.0.0.1', 'sslmode=disable')).toBe('in the clear')
  expect(await at('127.0.0.1', 'sslmode=prefer')).toBe('TLSv1.3')
  expect(await at('127.0.0.1', 'sslmode=require')).toBe('TLSv1.3')
  expect(await at('127.0.0.1', `sslmode=require&sslrootcert=${authority}`)).toBe('TLSv1.3')
  expect(await at('localhost', verified)).toBe('TLSv1.3')
  const untrusted =
    /^The database server \S+ is not trusted \(.+\): give the certificate of who signed its own as sslrootcert in DB_URL, or have it speak TLS\.$/
  expect(await at('localhost', `sslmode=verify-full&sslrootcert=${stranger}`)).toMatch(untrusted)
  expect(await at('127.0.0.1', `sslmode=require&sslrootcert=${stranger}`)).toMatch(untrusted)
  expect(await at('localhost', 'sslmode=verify-full')).toMatch(untrusted)
  expect(await at('localhost', 'sslmode=verify-full')).not.toContain('Node.js')
  expect(await at('127.0.0.1', verified)).toMatch(
    /has a certificate of another name \(.*127\.0\.0\.1 is not in the cert.*\): set the host in DB_URL to a name that stands in it, or .*\.$/,
  )
})

test.runIf(process.platform === 'linux')(
  'a silent connection, in the clear or over TLS, is kept open by a packet after ten seconds',
  async () => {
    const { port } = await securedServer()
    for (const sslmode of ['disable', 'require']) {
      const url = `mysql://app:app@127.0.0.1:${port}/mysql?sslmode=${sslmode}`
      const connection = await Connection.open(serverOf({ url }))
      const seconds = () => keptOpenAfter(port)
      await expect.poll(seconds).toEqual([expect.toSatisfy((first: number) => first <= 10)])
      await connection.end()
      await expect.poll(seconds).toEqual([])
    }
  },
)

/** Returns for each connection of this machine to a port in how many seconds its kernel will keep it open. */
function keptOpenAfter(port: number): number[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  // After the remote address, of connections that are established (01): the timer of what keeps one open (02).
  const kept = new RegExp(`:${hex} 01 \\w+:\\w+ 02:(\\w+) `, 'g')
  const connections = readFileSync('/proc/net/tcp', 'utf8').matchAll(kept)
  return [...connections].map(([, hundredths = '']) => Number.parseInt(hundredths, 16) / 100)
}

test('on a server that keeps no more prepared statements, a statement runs unprepared', async () => {
  const { port } = await securedServer('SET GLOBAL max_prepared_stmt_count = 0')
  const db = await openDatabase({ url: `mysql://app:app@127.0.0.1:${port}/mysql` })
  onTestFinished(() => db.close())
  expect(await db.first<object>`SELECT ${'ü'} AS text`).toEqual({ text: 'ü' })
})

test('the server ends a connection that keeps restores out, or of a restore, once it is silent for two minutes, as one of a lost machine', async () => {
  const { url } = await startDurableServer(['--performance-schema=ON'])
  const looking = await Connection.open(serverOf({ url }))
  onTestFinished(() => looking.end())
  const seconds = () =>
    looking.rows(`
    SELECT DISTINCT variable_value
    FROM performance_schema.metadata_locks
    JOIN performance_schema.variables_by_thread ON thread_id = owner_thread_id
    WHERE object_type = 'USER LEVEL LOCK' AND variable_name = 'wait_timeout'`)
  const db = await openDatabase({ url })
  expect(await seconds()).toEqual([['120']])
  await db.close()
  const held = await snapshots.hold({ url }, new Date())
  onTestFinished(() => held?.end())
  expect(await seconds()).toEqual([['120']])
  const statements = () => looking.rows(statementsOfHolders)
  const before = await statements()
  await expect.poll(statements).not.toEqual(before)
})

/** A restore that has nothing else to say is not silent. */
const statementsOfHolders = `
  SELECT sum(count_star)
  FROM performance_schema.events_statements_summary_by_thread_by_event_name
  WHERE thread_id IN (
    SELECT owner_thread_id FROM performance_schema.metadata_locks WHERE object_type = 'USER LEVEL LOCK'
  )`

test('a server without TLS is reported when sslmode requires TLS', async () => {
  const { port } = await serverOfVersion('8.4.6')
  expect(await spokenTo(`mysql://app@127.0.0.1:${port}/app?sslmode=require`)).toMatch(
    /^The database server \S+ speaks no TLS: turn TLS on there, or, .*, set sslmode=disable in DB_URL\.$/,
  )
})

test('a user logs in with their password only, whatever its characters, with TLS and without', async () => {
  const { port } = await securedServer(
    `CREATE USER bob@'%' IDENTIFIED WITH caching_sha2_password BY 'p@ss:w/o?r#d%'' ü'`,
    `CREATE USER eve@'%' IDENTIFIED WITH caching_sha2_password BY 'x' REQUIRE SSL`,
    `GRANT ALL ON own.* TO bob@'%', eve@'%'`,
    'CREATE DATABASE own',
  )
  const word = encodeURIComponent("p@ss:w/o?r#d%' ü")
  const as = (user: string, password: string, mode: string) =>
    spokenTo(`mysql://${user}:${password}@127.0.0.1:${port}/own?sslmode=${mode}`)
  // First unencrypted, when the server has not cached the password again yet.
  expect(await as('bob', word, 'disable')).toBe('in the clear')
  expect(await as('bob', word, 'require')).toBe('TLSv1.3')
  expect(await as('bob', 'hunter2', 'prefer')).toMatch(
    /^The database server \S+ refuses the login of "bob": set user and password in DB_URL .*\(it says: Access denied for user 'bob'@'[^']+' \(using password: YES\)\)\.$/,
  )
  expect(await as('eve', 'x', 'prefer')).toBe('TLSv1.3')
})

test('with TLS turned off, a refused login advises sslmode=require in case the server wants TLS', async () => {
  const { port, socket } = await securedServer(
    `CREATE USER eve@'%' IDENTIFIED WITH caching_sha2_password BY 'x' REQUIRE SSL`,
    `GRANT ALL ON own.* TO eve@'%'`,
    'CREATE DATABASE own',
  )
  const as = (password: string, mode: string) =>
    spokenTo(`mysql://eve:${password}@127.0.0.1:${port}/own?sslmode=${mode}`)
  const wanted = '; if it lets that user in over TLS alone, set sslmode=require'
  expect(await as('x', 'disable')).toMatch(
    new RegExp(`refuses the login of "eve": set .*, or make that user there${wanted} \\(it says: `),
  )
  expect(await as('x', 'require')).toBe('TLSv1.3')
  expect(await as('hunter2', 'require')).not.toContain(wanted)
  // There is no TLS over a socket.
  expect(await spokenTo(`mysql://eve:x@/own?host=${socket}&sslmode=disable`)).toMatch(
    /refuses the login of "eve": set user and password in DB_URL to what it knows, or make that user there \(it says: /,
  )
})

test('a server that accepts only TLS connections is reported as such', async () => {
  const { port } = await securedServer('SET PERSIST require_secure_transport = ON')
  const at = (mode: string) => spokenTo(`mysql://app:app@127.0.0.1:${port}/mysql?sslmode=${mode}`)
  expect(await at('disable')).toMatch(
    /^The database server \S+ lets nobody in without TLS: set sslmode=require in DB_URL, or verify-full, .*\.$/,
  )
  expect(await at('require')).toBe('TLSv1.3')
})

test('a transaction is sent in parts no larger than the server’s max_allowed_packet', async () => {
  const { port } = await securedServer('SET PERSIST max_allowed_packet = 1048576')
  const db = await openDatabase({ url: `mysql://app:app@127.0.0.1:${port}/mysql` })
  onTestFinished(() => db.close())
  await db.run`CREATE TABLE large (t LONGTEXT, b LONGBLOB)`
  const [t, b] = ['\u00fc'.repeat(350_000), Buffer.alloc(600_000)]
  await db.transaction((tx) =>
    Promise.all([
      tx.run`INSERT INTO large VALUES (${t}, ${null})`,
      tx.run`INSERT INTO large VALUES (${t}, ${null})`,
    ]),
  )
  await db.transaction((tx) => tx.run`INSERT INTO large VALUES (${null}, ${b})`)
  const lengths = await db.all<object>`SELECT length(t) AS t, length(b) AS b FROM large`
  expect(lengths).toEqual([
    { t: 700_000, b: null },
    { t: 700_000, b: null },
    { t: null, b: 600_000 },
  ])
})

test('server settings meant for interactive users do not apply to a connection', async () => {
  const strange = {
    foreign_key_checks: 0,
    unique_checks: 0,
    sql_safe_updates: 1,
    sql_select_limit: 1,
    max_execution_time: 1,
  }
  const names = Object.keys(strange)
  const set = Object.entries(strange).map(([name, value]) => `GLOBAL ${name} = ${value}`)
  const { port } = await securedServer(`SET ${set.join(', ')}`)
  const url = `mysql://app:app@127.0.0.1:${port}/mysql?sslmode=disable`
  const connection = await Connection.open(serverOf({ url }))
  onTestFinished(() => connection.end())
  const [values = []] = await connection.rows(
    `SELECT ${names.map((name) => `@@${name}`).join(', ')}`,
  )
  expect(values.map(Number)).toEqual([1, 1, 0, Number('18446744073709551615'), 0])
})

/** Returns what a start and doctor say of a server of this version. */
async function outcomeOf(version: string) {
  const { port } = await serverOfVersion(version)
  const url = `mysql://app@127.0.0.1:${port}/app`
  const refusal = await spokenTo(url)
  return {
    inspection: await health.inspect({ url }),
    refusal: refusal.replace(`127.0.0.1:${port}`, 'HOST'),
  }
}

test('a server other than MySQL 8.4 or newer is refused, and doctor says why', async () => {
  const maria = await outcomeOf('11.8.3-MariaDB-1:11.8.3')
  expect(maria.refusal).toBe(
    'The database server HOST is MariaDB 11.8.3, and must be MySQL 8.4 or newer: set DB_URL to another server.',
  )
  expect(maria.inspection).toMatchObject({
    result: 'closed',
    finding: {
      state: 'fail',
      finding: expect.stringMatching(/ is MariaDB 11\.8\.3, and must be /) as string,
      advice: 'Set DB_URL to another server.',
    },
  })
  expect((await outcomeOf('8.0.43')).refusal).toContain(
    'is MySQL 8.0.43, and must be MySQL 8.4 or newer',
  )
})

test('a refused login of a locked user, or one with an expired password, says what to do', async () => {
  const { port } = await securedServer(
    "CREATE USER bob@'%' IDENTIFIED BY 'hunter2' FAILED_LOGIN_ATTEMPTS 1 PASSWORD_LOCK_TIME UNBOUNDED",
    "CREATE USER eve@'%' IDENTIFIED BY 'x' PASSWORD EXPIRE",
    "CREATE USER joe@'%' IDENTIFIED BY 'x' ACCOUNT LOCK",
    "GRANT SELECT ON mysql.* TO bob@'%', eve@'%', joe@'%'",
  )
  const as = (user: string) => spokenTo(`mysql://${user}@127.0.0.1:${port}/mysql`)
  await as('bob:wrong')
  expect(await as('bob:hunter2')).toMatch(
    /^The database server \S+ refuses the login of "bob": unlock that user there by ALTER USER … ACCOUNT UNLOCK, once .* \(it says: Access denied for user 'bob'.* blocked .*[^.]\)\.$/,
  )
  expect(await as('joe:x')).toMatch(
    /^The database server \S+ refuses the login of "joe": unlock that user there by ALTER USER … ACCOUNT UNLOCK.* \(it says: .*locked\)\.$/,
  )
  expect(await as('eve:x')).toMatch(expired)
})

const expired =
  /^The database server \S+ refuses the login of "eve": give that user a new password there by ALTER USER, and set it in DB_URL \(it says: .*[^.]\)\.$/

test('an expired password is reported the same way by a server that lets such users log in', async () => {
  const { url } = await startDurableServer(['--disconnect-on-expired-password=OFF'])
  const connection = await Connection.open(serverOf({ url }))
  onTestFinished(() => connection.end())
  await connection.script("CREATE USER eve@'%' IDENTIFIED BY 'x' PASSWORD EXPIRE")
  await connection.script("GRANT SELECT ON mysql.* TO eve@'%'")
  expect(await spokenTo(url.replace('app:app', 'eve:x'))).toMatch(expired)
})

test('a server in offline mode is reported, and queries on open connections fail as busy', async () => {
  const { port } = await securedServer(
    "CREATE USER bob@'%' IDENTIFIED BY 'hunter2'",
    "GRANT SELECT ON mysql.* TO bob@'%'",
  )
  const as = (user: string) => `mysql://${user}@127.0.0.1:${port}/mysql`
  const own = await Connection.open(serverOf({ url: as('app:app') }))
  const db = await openDatabase({ url: as('bob:hunter2') })
  onTestFinished(async () => void (await Promise.all([own.end(), db.close()])))
  await own.script('SET GLOBAL offline_mode = ON')
  const offline =
    /The database server \S+ lets nobody in now: wait until its offline_mode is OFF again, or set it so there \(it says: .* offline mode\)\.$/
  expect(await spokenTo(as('bob:hunter2'))).toMatch(offline)
  const select = () => db.first`SELECT 1`.catch((error: unknown) => error)
  await expect.poll(select).toMatchObject({ message: expect.stringMatching(offline) as string })
  expect(await select()).toBeInstanceOf(DatabaseBusy)
})

test('a server that blocks this machine after too many connection errors is reported as such', async () => {
  const { port } = await serverThatRefuses(
    1129,
    "Host 'x.test' is blocked because of many connection errors; unblock with 'mysqladmin flush-hosts'",
  )
  expect(await spokenTo(`mysql://app@127.0.0.1:${port}/app`)).toMatch(
    /^The database server \S+ lets nobody in from this machine now: unblock it there, .* \(it says: Host 'x\.test' is blocked .*\)\.$/,
  )
})

test('a connection cut during the TLS handshake is reported as unreachable, not as a bad certificate', async () => {
  const { port } = await securedServer()
  const url = `mysql://app:app@127.0.0.1:${port}/mysql`
  const cutBy = async (method: 'destroy' | 'resetAndDestroy', sslmode: string) => {
    const cut = await proxyDatabase({ url }, { sslmode }, ({ client, server }) => {
      client.on('data', (part: Buffer) => void server.write(part))
      // First the server introduces itself, then it answers the request for TLS.
      server.once('data', (part: Buffer) => {
        client.write(part)
        server.once('data', () => client[method]())
      })
    })
    return spokenTo(urlOf(cut))
  }
  const away = /^The database server \S+ cannot be reached \(ECONNRESET\): start it, or /
  expect(await cutBy('destroy', 'require')).toMatch(away)
  expect(await cutBy('destroy', 'verify-full')).toMatch(away)
  expect(await cutBy('resetAndDestroy', 'prefer')).toMatch(away)
})

test('reaching a user’s connection limit is reported with what to raise', async () => {
  const { port } = await securedServer(
    "CREATE USER bob@'%' IDENTIFIED BY 'hunter2' WITH MAX_USER_CONNECTIONS 1",
    "GRANT SELECT ON mysql.* TO bob@'%'",
  )
  const url = `mysql://bob:hunter2@127.0.0.1:${port}/mysql`
  const first = await Connection.open(serverOf({ url }))
  onTestFinished(() => first.end())
  expect(await spokenTo(url)).toMatch(
    /^The database server \S+ takes no more connections of "bob": raise what limits that user, or lower max in DB_URL \(it says: .*max_user_connections.*\)\.$/,
  )
})
