import { expect, test } from 'vitest'
import { startDurableServer } from '../../testing/mysql/durable-server.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { health } from './health.ts'

/** Returns what doctor tells of a server. */
async function findingsOf(url: string): Promise<string[]> {
  const outcome = await health.inspect({ url })
  if (outcome.result !== 'open') throw new Error(outcome.finding.finding)
  const findings = await outcome.inspection.findings()
  await outcome.inspection.close()
  return findings.map(({ state, finding }) => `${state} ${finding}`)
}

async function at<Result>(url: string, work: (connection: Connection) => Promise<Result>) {
  const connection = await Connection.open(serverOf({ url }))
  return work(connection).finally(() => connection.end())
}

test('doctor reports how far standbys are behind, and a standby that stopped or accepts writes', async () => {
  const source = await startDurableServer(['--server-id=1', '--log-bin=log'])
  const standby = await startDurableServer(['--server-id=2', '--log-bin=log', '--read-only'])
  const { port } = new URL(source.url)
  await at(standby.url, async (connection) => {
    await connection.script(
      `CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = ${port}, SOURCE_USER = 'app',
        SOURCE_PASSWORD = 'app', GET_SOURCE_PUBLIC_KEY = 1`,
    )
    await connection.script('START REPLICA')
  })
  await expect
    .poll(() => findingsOf(standby.url))
    .toContainEqual(
      expect.stringMatching(
        /^fail The database server accepts no writes: it is a standby of another one; it is \d+ s behind\.$/,
      ),
    )
  // It registers there a moment after it has connected.
  await expect
    .poll(() => findingsOf(source.url))
    .toContainEqual(expect.stringMatching(/^ok 1 standby follows it; /))
  await at(standby.url, (connection) => connection.script('STOP REPLICA'))
  expect(await findingsOf(standby.url)).toContainEqual(
    expect.stringMatching(/; it does not get its changes now\.$/),
  )
  await at(standby.url, (connection) => connection.script('SET GLOBAL read_only = OFF'))
  expect(await findingsOf(standby.url)).toContainEqual(
    expect.stringMatching(
      /^warn The database server accepts writes, but replicates from another one: /,
    ),
  )
})

test('doctor names the rights needed to see whether standbys follow the server', async () => {
  const { url } = await startDurableServer([])
  await at(url, async (connection) => {
    await connection.script("CREATE USER less@'%' IDENTIFIED BY 'less'")
    await connection.script('CREATE DATABASE accounts')
    await connection.script('CREATE TABLE accounts.users (id INT PRIMARY KEY)')
    await connection.script("GRANT ALL ON accounts.* TO less@'%'")
  })
  const findings = await findingsOf(
    url.replace('app:app', 'less:less').replace(/mysql$/, 'accounts'),
  )
  expect(findings).toContainEqual(
    expect.stringContaining('GRANT REPLICATION CLIENT, REPLICATION SLAVE'),
  )
})

test('doctor reports a setting that can lose data in a power cut, and too few free connections', async () => {
  const { url } = await startDurableServer([
    '--innodb-flush-log-at-trx-commit=2',
    '--max-connections=12',
  ])
  const findings = await findingsOf(url)
  expect(findings).toContainEqual(
    expect.stringMatching(
      /^fail The database server has innodb_flush_log_at_trx_commit=2: a power cut /,
    ),
  )
  expect(findings).toContainEqual(
    expect.stringMatching(/^warn 1 of 12 connections are in use; a server takes up to 14\.$/),
  )
})
