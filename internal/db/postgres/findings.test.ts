import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../base/program/free-port.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { memory } from '../../testing/processes/folders.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { alterDatabase, script } from '../../testing/postgres/alter-database.ts'
import { startServer } from '../../testing/postgres/embedded-server.ts'
import { copyForStandby } from '../../testing/postgres/standby.ts'
import { serverOf } from './address.ts'
import { health } from './health.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Creates a folder, until the end of the test, that the server can reach, which runs as another user. */
function folderOfServer(): string {
  const folder = mkdtempSync(join(memory, 'findings-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts a server on the data in a folder, until it is stopped or the test ends. */
async function serverOn(folder: string) {
  const port = await freePort()
  const server = await startServer(folder, { durable: true, port })
  onTestFinished(() => server.stop())
  return { ...server, folder, port }
}

/** Returns what doctor tells of a database. */
async function findingsOf(address: DatabaseAddress): Promise<string[]> {
  const outcome = await health.inspect(address)
  if (outcome.result !== 'open') throw new Error(outcome.finding.finding)
  const findings = await outcome.inspection.findings()
  await outcome.inspection.close()
  return findings.map(({ state, finding }) => `${state} ${finding}`)
}

test('doctor reports how far standbys are behind, a standby itself, and a missing synchronous standby', async () => {
  const primary = await serverOn(folderOfServer())
  // So that there is a table to find.
  await script({ url: primary.url }, 'CREATE TABLE users (id integer)')
  const folder = folderOfServer()
  await copyForStandby(folder, primary)
  const standby = await serverOn(folder)
  await expect
    .poll(() => findingsOf({ url: primary.url }))
    .toContainEqual(
      expect.stringMatching(/^ok 1 standby follows it, the slowest \d+\.\d s and .+ behind\.$/),
    )
  expect(await findingsOf({ url: standby.url })).toContain(
    'fail The database server is a standby of another one, and accepts no writes.',
  )
  await script({ url: primary.url }, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await script({ url: primary.url }, 'SELECT pg_reload_conf()')
  await standby.stop()
  await expect
    .poll(() => findingsOf({ url: primary.url }))
    .toContain(
      'fail Each commit waits for a synchronous standby, and none is there: nothing can be changed.',
    )
})

test('doctor warns of a standby that is far behind', async () => {
  const primary = await serverOn(folderOfServer())
  await script({ url: primary.url }, 'CREATE TABLE users (id integer)')
  const folder = folderOfServer()
  await copyForStandby(folder, primary)
  const standby = await serverOn(folder)
  await expect
    .poll(() => findingsOf({ url: primary.url }))
    .toContainEqual(expect.stringMatching(/^ok 1 standby follows it/))
  // The standby still receives what is written, but does not apply it.
  await script({ url: standby.url }, 'SELECT pg_wal_replay_pause()')
  await script(
    { url: primary.url },
    "CREATE TABLE filled AS SELECT repeat('x', 1000) AS text FROM generate_series(1, 80000)",
  )
  await expect
    .poll(() => findingsOf({ url: primary.url }))
    .toContainEqual(
      expect.stringMatching(/^warn 1 standby follows it, the slowest .+ MB behind\.$/),
    )
})

/** Creates a database and a role, each with a connection limit, and returns the database's URL for that role. */
async function asLimited({ ofRole = -1, inDatabase = -1 }) {
  const { address } = await temporaryDatabase()
  const { database } = serverOf(address)
  const role = `u_${randomBytes(8).toString('hex')}`
  const limit = (most: number) => `ALTER DATABASE ${database} CONNECTION LIMIT ${most}`
  await script(
    address,
    `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${ofRole}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}; ${limit(inDatabase)}`,
  )
  onTestFinished(() => script(address, `${limit(-1)}; DROP OWNED BY ${role}; DROP ROLE ${role}`))
  const limited = { url: urlOf(address).replace(/\/\/[^@]*@/, `//${role}@`) }
  return { role, database, limited }
}

/** Returns why doctor cannot open a database, and its advice. */
async function whyClosed(address: DatabaseAddress): Promise<readonly unknown[]> {
  const outcome = await health.inspect(address)
  if (outcome.result !== 'closed') throw new Error(outcome.result)
  const { finding, advice } = outcome.finding
  return [finding.replace(/^The database server \S+ /, ''), advice]
}

test('doctor warns of a connection limit of a role or database that is lower than a server needs', async () => {
  const { role, database, limited } = await asLimited({ ofRole: 13, inDatabase: 12 })
  const findings = await findingsOf(limited)
  expect(findings).toContain(
    `warn 1 of 13 connections of the role "${role}" are in use; a server takes up to 14.`,
  )
  expect(findings).toContainEqual(
    expect.stringMatching(
      new RegExp(`^warn \\d of 12 connections to the database "${database}" are in use; `),
    ),
  )
})

test('doctor names the role or database whose connection limit is reached', async () => {
  const [one, other] = [await asLimited({ ofRole: 0 }), await asLimited({ inDatabase: 0 })]
  expect(await whyClosed(one.limited)).toEqual([
    `takes no more connections of the role "${one.role}".`,
    'Raise its CONNECTION LIMIT by ALTER ROLE, or lower max in DB_URL.',
  ])
  expect(await whyClosed(other.limited)).toEqual([
    `takes no more connections to the database "${other.database}".`,
    'Raise its CONNECTION LIMIT by ALTER DATABASE, or lower max in DB_URL.',
  ])
})

test('doctor reports a setting that can lose data in a power cut, and one that prevents writes', async () => {
  const { address } = await temporaryDatabase()
  await alterDatabase(address, 'synchronous_commit = off')
  expect(await findingsOf(address)).toContainEqual(
    expect.stringMatching(/^fail The database server has synchronous_commit off: a power cut /),
  )
  await alterDatabase(address, 'default_transaction_read_only = on')
  expect(await findingsOf(address)).toContainEqual(
    expect.stringMatching(
      /^fail The database accepts no writes: default_transaction_read_only is on/,
    ),
  )
})

test('behind a pooler doctor leaves nothing set in a session, which the next client gets', async () => {
  const { address } = await temporaryDatabase()
  const outcome = await health.inspect({ url: `${urlOf(address)}?prepare=false` })
  if (outcome.result !== 'open') throw new Error(outcome.finding.finding)
  const { inspection } = outcome
  onTestFinished(() => inspection.close())
  await inspection.findings()
  expect(await inspection.db.all`SELECT name FROM pg_settings WHERE source = 'session'`).toEqual([])
})
