import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { serverOf } from '../../../internal/db/postgres/address.ts'
import { Connection } from '../../../internal/db/postgres/connection.ts'
import {
  startServer,
  type EmbeddedServer,
} from '../../../internal/testing/postgres/embedded-server.ts'
import { copyForStandby } from '../../../internal/testing/postgres/standby.ts'
import { onCleanUp } from '../tools/cleanup.ts'
import { newFolder } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { killAll } from './database-server.ts'

/** Two PostgreSQL servers, a primary and a synchronous standby: acknowledged writes are durable on both. */
export interface Pair {
  /** The settings with which the service uses them, whichever is primary. */
  readonly settings: Readonly<Record<string, string>>
  /** Kills the primary as a power cut would, promotes the standby, and resolves once that accepts writes. */
  failOver(): Promise<void>
  /** Starts a new standby in place of the killed server, and resolves once both have all data. */
  startStandby(): Promise<void>
}

interface PostgresServer extends EmbeddedServer {
  readonly folder: string
  readonly port: number
}

// Milliseconds.
const longestWait = 60_000

/** Starts both servers, until the fault is over. */
export async function startPair(): Promise<Pair> {
  const ports = [await freePort(), await freePort()]
  let primary = await startServerAt(ports[0] ?? 0, readableFolder())
  let standby: PostgresServer | undefined
  onCleanUp(async () => {
    await standby?.stop()
    await primary.stop()
  })
  const pair: Pair = {
    settings: {
      DB_URL: `postgres://app@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`,
      FILES_PATH: join(newFolder(), 'files'),
    },
    async failOver() {
      if (!standby) throw new Error('None stands by.')
      await killAll(primary.pid)
      primary = standby
      standby = undefined
      await withConnection(primary, (connection) =>
        connection.script('SELECT pg_promote(true, 60)'),
      )
    },
    async startStandby() {
      const port = ports.find((other) => other !== primary.port) ?? 0
      const folder = readableFolder()
      await copyForStandby(folder, primary)
      standby = await startServerAt(port, folder)
      await withConnection(primary, waitForStandby)
    },
  }
  await pair.startStandby()
  return pair
}

async function startServerAt(port: number, folder: string): Promise<PostgresServer> {
  const server = await startServer(folder, { durable: true, port })
  return { ...server, folder, port }
}

/** Creates a folder that others may read, since the server may run as another user. */
function readableFolder(): string {
  const folder = newFolder()
  chmodSync(folder, 0o755)
  return folder
}

/** Makes each commit wait from now on until the standby has it too. */
async function waitForStandby(connection: Connection): Promise<void> {
  await connection.script("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await connection.script('SELECT pg_reload_conf()')
  const isThere = async () => {
    const rows = await connection.ask(`
      SELECT 1 FROM pg_stat_replication
      WHERE state = 'streaming' AND sync_state = 'sync' AND flush_lsn >= pg_current_wal_lsn()`)
    return rows.length > 0
  }
  if ((await until(isThere, longestWait)) === Infinity) throw new Error('None stands by.')
}

async function withConnection<Result>(
  { url }: PostgresServer,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await Connection.open(serverOf({ url }))
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}
