import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { startServer as startMysql } from '../../../internal/testing/mysql/own-server.ts'
import { startServer as startPostgres } from '../../../internal/testing/postgres/embedded-server.ts'
import type { Extent } from '../tools/fault.ts'
import { onCleanUp } from '../tools/cleanup.ts'
import { newFolder } from '../tools/servers.ts'
import { until } from '../tools/until.ts'

/** A database server that can be killed and paused. What it has acknowledged is durable. */
export interface DatabaseServer {
  readonly port: number
  /** The settings with which the service uses it. */
  readonly settings: Readonly<Record<string, string>>
  /** Kills all of its processes, as a power cut would. */
  kill(): Promise<void>
  /** Restarts it on its data, and resolves once it answers. */
  start(): Promise<void>
  /** Pauses all of its processes. */
  pause(): void
  resume(): void
}

// Milliseconds.
const longestEnd = 10_000

interface ServerOptions {
  readonly durable: true
  readonly port: number
  /** Whether it counts read rows, if it does not by default. */
  readonly counts: boolean
}

const starters = {
  postgres: (folder: string, options: ServerOptions) => startPostgres(folder, options),
  mysql: (folder: string, options: ServerOptions) => startMysql(folder, options),
}

/** Starts a database server in a new folder, until the fault is over. */
export async function startDatabase(
  { database }: Extent,
  { counts = false }: Partial<Pick<ServerOptions, 'counts'>> = {},
): Promise<DatabaseServer> {
  const parent = newFolder()
  chmodSync(parent, 0o755)
  const port = await freePort()
  const folder = join(parent, database)
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const startOnData = () =>
    starters[database === 'mysql' ? 'mysql' : 'postgres'](folder, { durable: true, port, counts })
  let running = await startOnData()
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of [running.pid, ...childrenOf(running.pid)]) sendSignal(pid, signal)
  }
  onCleanUp(() => {
    signalAll('SIGCONT')
    return running.stop()
  })
  return {
    port,
    settings: { DB_URL: running.url, FILES_PATH: join(newFolder(), 'files') },
    kill: () => killAll(running.pid),
    async start() {
      running = await startOnData()
    },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  }
}

/** Kills a server with all of its processes, as a power cut would, and resolves once they are gone. */
export async function killAll(server: number): Promise<void> {
  const processes = [server, ...childrenOf(server)]
  for (const pid of processes) sendSignal(pid, 'SIGKILL')
  await until(() => processes.every((pid) => !isThere(pid)), longestEnd)
}

/** Takes every free connection of the database server, and returns a function that closes them. */
export async function takeConnections(port: number, { database }: Extent): Promise<() => void> {
  const sockets: Socket[] = []
  const release = () => {
    for (const socket of sockets) socket.destroy()
  }
  onCleanUp(release)
  const { greeting, isAccepted } = database === 'mysql' ? mysqlHandshake : postgresHandshake
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const answer = await firstData(socket, greeting)
    if (!answer || !isAccepted(answer)) return release
    sockets.push(socket)
  }
}

// PostgreSQL: Frontend/Backend Protocol, Start-up. `R` means that no password is needed; `E` that there are too many.
const parameters = Buffer.from('user\0app\0database\0postgres\0\0')
const head = Buffer.alloc(8)
head.writeInt32BE(head.length + parameters.length, 0)
head.writeInt32BE(3 << 16, 4)
const postgresHandshake = {
  greeting: Buffer.concat([head, parameters]),
  isAccepted: (answer: Buffer) => answer[0] === 'R'.charCodeAt(0),
}

// MySQL: the greeting follows the four bytes of a packet's header; 255 is an error, such as too many connections.
const mysqlHandshake = { greeting: undefined, isAccepted: (answer: Buffer) => answer[4] !== 255 }

/** Returns the server's first data, after sending `greeting` if there is one; undefined if it closes the connection. */
function firstData(socket: Socket, greeting: Buffer | undefined): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    socket.on('connect', () => void (greeting && socket.write(greeting)))
    socket.on('error', () => resolve(undefined)).on('close', () => resolve(undefined))
    socket.once('data', resolve)
  })
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
}

/** Returns a process's parent; undefined if the process has ended. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function isThere(pid: number): boolean {
  return parentOf(String(pid)) !== undefined
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself meanwhile.
  }
}
