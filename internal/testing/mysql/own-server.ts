import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../base/program/free-port.ts'
import { mysqlProgram } from './debian-server.ts'

/** A MySQL server owned by this process. */
export interface OwnServer {
  /** The URL of its database `mysql` over TCP. */
  readonly url: string
  readonly pid: number
  /** Ends the server at once, and resolves when it is gone. */
  stop(): Promise<void>
}

const nobody = 65_534

interface ServerOptions {
  /** Whether its writes must survive a power cut. */
  readonly durable: boolean
  /** The port to listen on; a free one if absent. */
  readonly port?: number
  /** Whether it counts the rows read from each table. */
  readonly counts?: boolean
  /** Additional arguments, such as those for replication. */
  readonly extraArgs?: readonly string[]
}

/** Starts a server with its data in a folder, which its user must be able to reach; creates missing data. */
export async function startServer(
  folder: string,
  { durable, counts = false, extraArgs: more = [], ...options }: ServerOptions,
): Promise<OwnServer> {
  const { command: words, base } = await mysqlProgram()
  const data = join(folder, 'data')
  const isNew = !existsSync(data)
  if (isNew) mkdirSync(data, { mode: 0o700 })
  // MySQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(data, nobody, nobody)
  const setpriv = isRoot ? ['--reuid', String(nobody), '--clear-groups', '--'] : []
  const program = [...(isRoot ? ['setpriv', ...setpriv] : []), ...words, '--no-defaults']
  const common = [`--basedir=${base}`, `--datadir=${data}`, '--secure-file-priv=NULL']
  const [command = '', ...rest] = [...program, ...common]
  const initialising = [...rest, '--initialize-insecure', '--innodb-redo-log-capacity=64M']
  if (isNew) execFileSync(command, initialising, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const users = join(folder, 'users.sql')
  writeFileSync(
    users,
    "CREATE USER IF NOT EXISTS app@'%' IDENTIFIED BY 'app'; GRANT ALL ON *.* TO app@'%' WITH GRANT OPTION;\n",
  )
  chmodSync(users, 0o644)
  const port = options.port ?? (await freePort())
  const server = spawnServer(command, [
    ...rest,
    ...settings,
    ...(durable ? [] : volatileSettings),
    `--performance-schema=${counts ? 'ON' : 'OFF'}`,
    `--port=${port}`,
    ...more,
    `--init-file=${users}`,
  ])
  await server.ready
  const url = `mysql://app:app@127.0.0.1:${port}/mysql`
  return { url, pid: server.pid, stop: server.stop }
}

const settings = [
  '--bind-address=127.0.0.1',
  '--mysqlx=OFF',
  '--socket=s.sock',
  '--pid-file=pid',
  '--skip-log-bin',
  '--skip-name-resolve',
  '--max-connections=500',
  '--innodb-buffer-pool-size=128M',
  '--innodb-redo-log-capacity=64M',
  // On most machines the clocks of server and app differ.
  '--default-time-zone=+05:00',
]

/** Settings for data that need not outlive the tests. */
const volatileSettings = [
  '--innodb-log-writer-threads=OFF',
  '--innodb-adaptive-hash-index=OFF',
  // No table statistics on disk: they take a seventh of the time to create and drop a table.
  '--innodb-stats-persistent=OFF',
  // A table is created in half the time without a file of its own.
  '--innodb-file-per-table=OFF',
]

function spawnServer(command: string, words: readonly string[]) {
  const child = spawn(command, words, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  const { promise: ready, resolve: isReady, reject } = Promise.withResolvers<void>()
  const { promise: exited, resolve: hasExited } = Promise.withResolvers<void>()
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output = (output + String(part)).slice(-4000)
      if (/ready for connections\..*port: [1-9]/.test(output)) isReady()
    })
  child.on('error', reject)
  child.on('exit', (code) => {
    reject(new Error(`MySQL ended with ${code} before it was ready:\n${output}`))
    hasExited()
  })
  return {
    ready,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
