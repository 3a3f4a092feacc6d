import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { addressServed, giveDatabase, settingsOfDatabase } from '#testing/address'
import { migratedIn } from '#testing/migrated'
import { appName } from '../../../web/contract/name.ts'
import { freePort } from '../../base/program/free-port.ts'
import { Browser } from '../browser.ts'
import { executable } from './build.ts'
import { memory } from './folders.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

// Milliseconds: more than a stop may take (contract: Command line). A hanging server is then killed.
const longestStop = 12_000

type Settings = Readonly<Record<string, string>>

interface ExecutableOptions {
  /** The working folder; a new empty one if absent. */
  readonly folder?: string
  /** The whole environment: no PATH, nothing from this process. */
  readonly settings?: Settings
  /** The user who runs it, with an executable that this user may read. */
  readonly user?: User
  /** Why its standard output cannot be written. */
  readonly brokenStdout?: 'disk is full' | 'reader has left'
}

interface Command extends ExecutableOptions {
  /** Called, as soon as it is started, with a function that sends it a signal. */
  readonly started?: (send: (signal: NodeJS.Signals) => void) => void
}

/** How a process ended. */
export interface ProcessResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** One line of the log. */
export type LogEntry = Readonly<Record<string, unknown>> & {
  readonly level: string
  readonly message: string
}

/** An executable that serves until the end of the test. */
export interface Served {
  readonly origin: string
  readonly port: number
  readonly folder: string
  readonly database: DatabaseAddress
  /** A browser nobody has used yet. */
  browser(): Browser
  /** The log line saying that it serves. */
  readonly start: LogEntry
  /** What it has logged so far. */
  readonly lines: readonly LogEntry[]
  signal(name: NodeJS.Signals): void
  /** Stops reading its log, until `read` or its end. */
  readonly log: { leave(): void; read(): void }
  readonly exit: Promise<ProcessResult>
  /**
   * Stops the server like an operator, and resolves when it has ended; without an exit code if it took longer than
   * `longest` milliseconds and was killed.
   */
  stop(longest?: number): Promise<ProcessResult>
}

/** Runs a command to its end. */
export async function run(
  args: readonly string[],
  { folder = emptyFolder(), settings, started, ...options }: Command = {},
): Promise<ProcessResult> {
  const allSettings = { ...(await settingsOfDatabase(folder)), ...settings }
  const child = spawnExecutable(args, { ...options, folder, settings: allSettings })
  started?.((signal) => void child.kill(signal))
  return awaitEnd(child)
}

/**
 * Starts the server, and resolves once it logs that it serves. Throws with its output if it ends before. Without a
 * folder it gets an already migrated database: on a database server, migrating takes longer than the start.
 */
export async function serve({
  settings,
  firstMessage = 'serving',
  ...options
}: ExecutableOptions & {
  /** Its first message, if LOG_LEVEL suppresses the one that it serves. */
  readonly firstMessage?: string
} = {}): Promise<Served> {
  const folder = options.folder ?? (await migratedFolder())
  const allSettings = {
    ...(await settingsOfDatabase(folder)),
    ...(await requiredSettings()),
    ...settings,
  }
  const child = spawnExecutable([], { ...options, folder, settings: allSettings })
  const [origin, port] = [allSettings.APP_URL, Number(allSettings.PORT)]
  const lines: LogEntry[] = []
  const end = awaitEnd(child)
  const stop = async (longest = longestStop) => {
    child.kill('SIGTERM')
    const killTimer = setTimeout(() => child.kill('SIGKILL'), longest)
    try {
      return await end
    } finally {
      clearTimeout(killTimer)
    }
  }
  // Before waiting, so that a server that never serves is stopped too.
  onTestFinished(async () => void (await stop()), 2 * longestStop)
  const start = await Promise.race([awaitMessage(child, firstMessage, lines), failAtEnd(end)])
  return {
    origin,
    port,
    folder,
    database: addressServed({ name: String(start.database), settings: allSettings }),
    browser: () => new Browser({ origin, port, version: String(start.version) }),
    start,
    lines,
    signal: (name) => void child.kill(name),
    log: { leave: () => void child.stdout?.pause(), read: () => void child.stdout?.resume() },
    exit: end,
    stop,
  }
}

/**
 * Returns the milliseconds that a server took to stop, according to its own log: without the time that a busy machine
 * takes to end the process and to report it.
 */
export function stopDuration({ lines }: Served): number {
  const stopping = lines.find(({ message }) => message === 'stopping')
  const [from, to] = [stopping, lines.at(-1)].map((line) => Date.parse(String(line?.['time'])))
  return Number(to) - Number(from)
}

/** The same time for all, so that migrated databases are made once and copied. */
const ranAt = new Date()

async function migratedFolder(): Promise<string> {
  const folder = emptyFolder()
  giveDatabase(folder, await migratedIn(folder, ranAt))
  return folder
}

/** Returns the required settings, with a free port. */
export async function requiredSettings(): Promise<{
  APP_KEY: string
  APP_URL: string
  PORT: string
}> {
  const port = await freePort()
  return {
    APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
    APP_URL: `http://localhost:${port}`,
    PORT: String(port),
  }
}

/** Creates a folder that is deleted at the end of the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(memory, 'executable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A user who owns nothing, with an executable that everybody may run. */
export interface User {
  readonly executable: string
  readonly ids: { readonly uid: number; readonly gid: number } | undefined
  /** Creates a folder owned by this user. */
  own(folder: string): string
}

/** Returns a user who is not root: `nobody` if root runs the tests, else the user who runs them. */
export function otherUser(): User {
  const folder = emptyFolder()
  const copy = join(folder, appName)
  copyFileSync(executable, copy)
  chmodSync(folder, 0o755)
  const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  return {
    executable: copy,
    ids,
    own(folder) {
      if (ids) chownSync(folder, ids.uid, ids.gid)
      return folder
    },
  }
}

function spawnExecutable(args: readonly string[], options: ExecutableOptions): ChildProcess {
  const { folder, settings, user, brokenStdout } = options
  const full = brokenStdout === 'disk is full' ? openSync('/dev/full', 'w') : undefined
  const child = spawn(user?.executable ?? executable, args, {
    cwd: folder,
    env: { PATH: '', ...settings },
    stdio: ['ignore', full ?? 'pipe', 'pipe'],
    ...user?.ids,
  })
  if (full !== undefined) closeSync(full)
  // At once, long before the program prints anything.
  if (brokenStdout === 'reader has left') child.stdout?.destroy()
  return child
}

async function awaitEnd(child: ChildProcess): Promise<ProcessResult> {
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (part: Buffer) => (output.stdout += String(part)))
  child.stderr?.on('data', (part: Buffer) => (output.stderr += String(part)))
  // Drains a paused output: otherwise `close` is never emitted.
  child.once('exit', () => child.stdout?.resume())
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

function awaitMessage(child: ChildProcess, message: string, lines: LogEntry[]): Promise<LogEntry> {
  const { stdout } = child
  if (!stdout) throw new Error('The process was started without a log.')
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (text) => {
      const line = JSON.parse(text) as LogEntry
      lines.push(line)
      if (line.message === message) resolve(line)
    })
  })
}

async function failAtEnd(end: Promise<ProcessResult>): Promise<never> {
  const { code, stdout, stderr } = await end
  throw new Error(`The executable ended with ${code} before it served:\n${stdout}${stderr}`)
}
