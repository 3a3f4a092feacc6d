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
import { appName } from '../../web/contract/name.ts'
import { freePort } from '../base/program/free-port.ts'
import { Browser } from './browser.ts'
import { executable } from './build.ts'
import { memory } from './folders.ts'
import type { DatabaseAddress } from '../base/settings/config.ts'

// Milliseconds, and more than it may take (contract: Command line); one that hangs outlives no test.
const longestStop = 12_000

type Settings = Readonly<Record<string, string>>

interface Place {
  /** The working folder; a new empty one otherwise. */
  readonly folder?: string
  /** The whole environment: no PATH, nothing of this process. */
  readonly settings?: Settings
  /** Who runs it, and the executable that this user may read. */
  readonly user?: User
  /** What takes nothing of its standard output. */
  readonly unwritten?: 'disk is full' | 'reader has left'
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** One line of the log. */
export type Line = Readonly<Record<string, unknown>> & {
  readonly level: string
  readonly message: string
}

/** An executable that serves until the test is over. */
export interface Served {
  readonly origin: string
  readonly port: number
  readonly folder: string
  readonly database: DatabaseAddress
  /** A browser nobody has used yet. */
  browser(): Browser
  /** What it logged as it began to serve. */
  readonly start: Line
  /** What it has logged so far. */
  readonly lines: readonly Line[]
  signal(name: NodeJS.Signals): void
  /** Has nobody read its log, until `read` or its end. */
  readonly log: { leave(): void; read(): void }
  readonly ended: Promise<Ended>
  /**
   * Stops it as an operator would, and resolves when it is gone; with no exit code when it took more than its time, or than
   * so many milliseconds.
   */
  stop(longest?: number): Promise<Ended>
}

/** Runs a command to its end. */
export async function run(
  words: readonly string[],
  { folder = emptyFolder(), settings, ...place }: Place = {},
): Promise<Ended> {
  const given = { ...(await settingsOfDatabase(folder)), ...settings }
  return ending(begin(words, { ...place, folder, settings: given }))
}

/**
 * Starts the server, and resolves once it says that it serves. Throws with what it said if it ends before. Where no folder is
 * given its database is one that all migrations ran on: on a database server they take longer than the start.
 */
export async function serve({
  settings,
  says = 'serving',
  ...place
}: Place & {
  /** Its first message, where LOG_LEVEL leaves out the one that it serves. */
  readonly says?: string
} = {}): Promise<Served> {
  const folder = place.folder ?? (await migratedFolder())
  const given = { ...(await settingsOfDatabase(folder)), ...(await required()), ...settings }
  const child = begin([], { ...place, folder, settings: given })
  const [origin, port] = [given.APP_URL, Number(given.PORT)]
  const lines: Line[] = []
  const ended = ending(child)
  const stop = async (longest = longestStop) => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), longest)
    try {
      return await ended
    } finally {
      clearTimeout(late)
    }
  }
  // One that never comes to serve, too.
  onTestFinished(async () => void (await stop()), 2 * longestStop)
  const start = await Promise.race([saying(child, says, lines), refused(ended)])
  return {
    origin,
    port,
    folder,
    database: addressServed({ name: String(start.database), settings: given }),
    browser: () => new Browser({ origin, port, version: String(start.version) }),
    start,
    lines,
    signal: (name) => void child.kill(name),
    log: { leave: () => void child.stdout?.pause(), read: () => void child.stdout?.resume() },
    ended,
    stop,
  }
}

/**
 * Milliseconds that a server that has ended was at it, by its own log: without what a busy machine takes to end a process
 * and to hear of it.
 */
export function stoppedWithin({ lines }: Served): number {
  const stopping = lines.find(({ message }) => message === 'stopping')
  const [from, to] = [stopping, lines.at(-1)].map((line) => Date.parse(String(line?.['time'])))
  return Number(to) - Number(from)
}

/** The same for all, so that they are made once. */
const ranAt = new Date()

async function migratedFolder(): Promise<string> {
  const folder = emptyFolder()
  giveDatabase(folder, await migratedIn(folder, ranAt))
  return folder
}

/** The settings without which there is no service, on a port that is free. */
export async function required(): Promise<{ APP_KEY: string; APP_URL: string; PORT: string }> {
  const port = await freePort()
  return {
    APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
    APP_URL: `http://localhost:${port}`,
    PORT: String(port),
  }
}

/** A folder that is deleted when the test is over. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(memory, 'executable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Somebody who owns nothing, with an executable that everybody may run. */
export interface User {
  readonly executable: string
  readonly ids: { readonly uid: number; readonly gid: number } | undefined
  /** Makes a folder this user's own. */
  own(folder: string): string
}

/** Another user when root runs the tests; anyone else, who can change to nobody, is already no root. */
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

function begin(words: readonly string[], place: Place): ChildProcess {
  const { folder, settings, user, unwritten } = place
  const full = unwritten === 'disk is full' ? openSync('/dev/full', 'w') : undefined
  const child = spawn(user?.executable ?? executable, words, {
    cwd: folder,
    env: { PATH: '', ...settings },
    stdio: ['ignore', full ?? 'pipe', 'pipe'],
    ...user?.ids,
  })
  if (full !== undefined) closeSync(full)
  // Long before the program has begun.
  if (unwritten === 'reader has left') child.stdout?.destroy()
  return child
}

async function ending(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  child.stdout?.on('data', (part: Buffer) => (said.stdout += String(part)))
  child.stderr?.on('data', (part: Buffer) => (said.stderr += String(part)))
  // What nobody read is there still.
  child.once('exit', () => child.stdout?.resume())
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

function saying(child: ChildProcess, says: string, lines: Line[]): Promise<Line> {
  const { stdout } = child
  if (!stdout) throw new Error('The process was started without a log.')
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line
      lines.push(line)
      if (line.message === says) resolve(line)
    })
  })
}

async function refused(ended: Promise<Ended>): Promise<never> {
  const { code, stdout, stderr } = await ended
  throw new Error(`The executable ended with ${code} before it served:\n${stdout}${stderr}`)
}
