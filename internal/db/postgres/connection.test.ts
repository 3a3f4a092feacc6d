import { messageOf } from '../../base/error-message.ts'
import { rowOf } from '../server/answer.ts'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { alterDatabase } from '../../testing/postgres/alter-database.ts'
import { securedServer } from '../../testing/postgres/secured-server.ts'
import { serverOfVersion } from '../../testing/postgres/server-of-version.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { openDatabase } from './driver.ts'
import { health } from './health.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Returns `TLSv1.3`, `in the clear`, or why there is no connection. */
async function spokenTo(url: string): Promise<string> {
  try {
    const connection = await Connection.open(serverOf({ url }))
    const tls = rowOf(
      await connection.ask<{ encryption: string }>(`
      SELECT coalesce(version, 'in the clear') AS encryption
      FROM pg_stat_ssl WHERE pid = pg_backend_pid()`),
    )
    await connection.end()
    return tls.encryption
  } catch (error) {
    return messageOf(error)
  }
}

test('sslmode decides whether a connection uses TLS and which certificates are trusted', async () => {
  const { port, authority, stranger } = await securedServer('')
  const at = (host: string, query: string) =>
    spokenTo(`postgres://app@${host}:${port}/postgres?${query}`)
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

test('a connection over a socket uses no TLS, whatever sslmode says', async () => {
  const { port, socket } = await securedServer('CREATE DATABASE own')
  const at = (query: string) => `postgres://app@/own?host=${socket}:${port}${query}`
  expect(await spokenTo(at('&sslmode=verify-full'))).toBe('in the clear')
  const db = await openDatabase({ url: at('') })
  onTestFinished(() => db.close())
  const there = db.first<object>`SELECT inet_server_addr() AS address, current_database() AS name`
  expect(await there).toEqual({ address: null, name: 'own' })
  expect(await spokenTo(at('').replace(`${port}`, '1'))).toBe(
    `The database server ${socket} cannot be reached (ENOENT): start it, or set DB_URL to its address, with the right sslmode.`,
  )
})

test('an expired server certificate is reported as expired, not as untrusted', async () => {
  const { port, authority } = await securedServer('', new Date(Date.now() - 1000))
  const query = `sslmode=verify-full&sslrootcert=${authority}`
  expect(await spokenTo(`postgres://app@localhost:${port}/postgres?${query}`)).toMatch(
    /^The database server \S+ has a certificate that does not hold now \(certificate has expired\): have it made anew there, .*\.$/,
  )
})

/** Returns the URL of a server that refuses every connection with this code and message, unencrypted. */
async function refusingServer(code: string, message: string): Promise<string> {
  const fields = `SFATAL\0C${code}\0M${message}\0\0`
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(`E${length.toString('latin1')}${fields}`))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return `postgres://app@127.0.0.1:${port}/app?sslmode=disable`
}

test('a pooler’s refusal of search_path is quoted, with how to set search_path there', async () => {
  const url = await refusingServer('08P01', 'unsupported startup parameter: search_path')
  expect(await spokenTo(`${url}&search_path=own`)).toMatch(
    /^The database server \S+ refuses a part of DB_URL: .* ALTER ROLE … SET search_path .*\(it says: unsupported startup parameter: search_path\)\.$/,
  )
})

test.each([
  ['SASL authentication failed', 'refuses the login of "app": set user and password in DB_URL'],
  ['no such user: app', 'refuses the login of "app": set user and password in DB_URL'],
  ['database "app" does not exist', 'has no database "app": have the pooler know it'],
])('a pooler’s refusal is reported with what it refuses: %s', async (message, expected) => {
  expect(await spokenTo(await refusingServer('08P01', message))).toContain(expected)
})

test('doctor gives up on a pooler that keeps a connection waiting', async () => {
  const { address } = await temporaryDatabase()
  const url = new URL(urlOf(await deafening(address)))
  url.searchParams.set('connect_timeout', '1')
  expect(await health.inspect({ url: url.href })).toMatchObject({
    result: 'closed',
    finding: { state: 'fail', finding: expect.stringContaining('cannot be reached (ETIMEDOUT)') },
  })
})

test('doctor turns an unknown connection error of the server into a sentence', async () => {
  const url = await refusingServer('XX000', 'the stars are not right for "Odd "Name"')
  expect(await health.inspect({ url })).toMatchObject({
    finding: {
      finding: 'the stars are not right for "Odd "Name".',
      advice: 'Check the log of the database server.',
    },
  })
})

test('a server without TLS is reported when sslmode requires TLS', async () => {
  const { address } = await temporaryDatabase()
  expect(await spokenTo(`${urlOf(address)}?sslmode=require`)).toMatch(
    /^The database server \S+ hung up when it was asked for TLS: turn TLS on there, or .* sslmode=disable in DB_URL\.$/,
  )
})

test('a user logs in with their password only, whatever its characters', async () => {
  const word = "p@ss:w/o?r#d%' ü"
  const { port } = await securedServer(`CREATE ROLE bob LOGIN PASSWORD 'p@ss:w/o?r#d%'' ü'`)
  const as = (password: string, mode: string) =>
    spokenTo(`postgres://bob:${password}@127.0.0.1:${port}/postgres?sslmode=${mode}`)
  expect(await as(encodeURIComponent(word), 'require')).toBe('TLSv1.3')
  expect(await as(word.replace('%', '%25'), 'prefer')).toBe('TLSv1.3')
  expect(await as('hunter2', 'require')).toMatch(
    /^The database server \S+ refuses the login of "bob": .*\(it says: password authentication failed for user "bob"\)\.$/,
  )
  expect(await as(encodeURIComponent(word), 'disable')).toMatch(
    /refuses the login of "bob": .* or let them in by its pg_hba\.conf \(it says: no pg_hba\.conf entry .*no encryption\)\.$/,
  )
})

test('a server older than PostgreSQL 18 is refused, and doctor says why', async () => {
  const { port } = await serverOfVersion('17.6')
  const url = `postgres://app@127.0.0.1:${port}/app`
  expect(await spokenTo(url)).toBe(
    `The database server 127.0.0.1:${port} is PostgreSQL 17.6, and must be 18 or newer: set DB_URL to another server.`,
  )
  expect(await health.inspect({ url })).toMatchObject({
    result: 'closed',
    finding: {
      state: 'fail',
      finding: `The database server 127.0.0.1:${port} is PostgreSQL 17.6, and must be 18 or newer.`,
      advice: 'Set DB_URL to another server.',
    },
  })
})

/**
 * Returns the database through a proxy that drops each Query message, as sent by `script`, so that nothing answers it.
 */
async function deafening(address: DatabaseAddress): Promise<DatabaseAddress> {
  const url = new URL(urlOf(address))
  const { hostname, port } = url
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    client.on('data', (part: Buffer) => {
      // The type of a Query message in PostgreSQL's protocol.
      if (part[0] !== 0x51) server.write(part)
    })
    server.on('data', (part: Buffer) => client.write(part))
    client.on('close', () => server.destroy()).on('error', () => {})
    server.on('close', () => client.destroy()).on('error', () => {})
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { url: url.href }
}

test('a server that falls silent after the login is given up, and the error says what to do', async () => {
  const { address } = await temporaryDatabase()
  const silent = serverOf(await deafening(address))
  const place = `127.0.0.1:${silent.hosts[0]?.port}`
  await expect(Connection.open(silent, { patience: 1000 })).rejects.toThrow(
    `The database server ${place} cannot be reached (ETIMEDOUT): start it, or set DB_URL to its address`,
  )
})

/** A host that accepts every connection, and says nothing. */
async function silentHost(): Promise<{ name: string; connections: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {}).resume()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return {
    name: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  }
}

test('the last host known to accept writes is tried before one that hangs, as long as it accepts them', async () => {
  const { address } = await temporaryDatabase()
  const silent = await silentHost()
  const url = `${urlOf(address).replace('@', `@${silent.name},`)}?connect_timeout=3`
  const timesConnected = async (query: string) => {
    const before = silent.connections()
    const connection = await Connection.open(serverOf({ url: `${url}${query}` }))
    await connection.end()
    return silent.connections() - before
  }
  const readWrite = '&target_session_attrs=read-write'
  expect([await timesConnected(readWrite), await timesConnected(readWrite)]).toEqual([1, 0])
  expect(await timesConnected('')).toBe(1)
  await alterDatabase(address, 'default_transaction_read_only = on')
  await expect(timesConnected(readWrite)).rejects.toThrow(`${silent.name} cannot be reached`)
})
