import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { appName } from '../../../web/contract/name.ts'
import { isOver } from './ending.ts'
import { built } from './built.ts'
import { ask, mustBe } from './client.ts'
import { whenOver } from './over.ts'

type Settings = Readonly<Record<string, string>>

export interface Place {
  /** The working folder, which contains the database; a new empty one if absent. */
  readonly folder?: string
  readonly settings?: Settings
  /**
   * A program that starts the executable, as its path and arguments. The started process must become the executable,
   * as with `prlimit` and `strace -D`, since signals are sent to that process.
   */
  readonly through?: readonly string[]
  /** Kills a command, as a power cut would. */
  readonly killed?: AbortSignal
  /** Called with a command's process ID. */
  readonly started?: (pid: number) => void
  /** The path of a build other than the tested one. */
  readonly executable?: string
}

/** One line of the log. */
export type Line = Readonly<Record<string, unknown>> & {
  readonly level: string
  readonly message: string
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A server that runs until it is ended, or the fault is over. */
export interface Server {
  readonly pid: number
  readonly port: number
  readonly folder: string
  readonly database: string
  /** Milliseconds from its start to the first 200 of `/up`. */
  readonly readyAfter: number
  /** The last thousand lines of its log. */
  readonly lines: readonly Line[]
  readonly ended: Promise<Ended>
  signal(name: NodeJS.Signals): void
  /**
   * Resolves with the first line of this message, which may have been logged already. Rejects if the server ends
   * without it.
   */
  untilLogged(message: string): Promise<Line>
  /** Kills the server at once, together with the program that started it. */
  kill(): Promise<Ended>
  /** Stops the server like an operator. If it hangs it is killed, and has no exit code. */
  stop(): Promise<Ended>
}

// Milliseconds, far more than it may take.
const longestStop = 60_000

/** Starts the server, and resolves once it answers. Throws with its output if it ends before. */
export async function start(place: Place = {}): Promise<Server> {
  const folder = place.folder ?? newFolder()
  const settings = { ...usual, DB_PATH: join(folder, 'app.db'), ...place.settings }
  const began = performance.now()
  const child = begin([place.executable ?? executable()], { ...place, folder, settings })
  const log = logOf(child)
  const ended = ending(child)
  const untilLogged = (message: string) => awaitLine(log, message, ended)
  const { address } = await untilLogged('serving')
  const port = Number(new URL(String(address)).port)
  mustBe(200, await ask(port, '/up'))
  return {
    pid: child.pid ?? 0,
    port,
    folder,
    database: settings.DB_PATH,
    readyAfter: performance.now() - began,
    lines: log.lines,
    ended,
    untilLogged,
    signal: (name) => void child.kill(name),
    kill: () => kill(child, ended),
    stop() {
      child.kill('SIGTERM')
      const late = setTimeout(() => endGroup(child), longestStop)
      return ended.finally(() => clearTimeout(late))
    },
  }
}

/** Runs a command of the executable to its end. */
export async function run(words: readonly string[], place: Place = {}): Promise<Ended> {
  const folder = place.folder ?? newFolder()
  const settings = { ...usual, DB_PATH: join(folder, 'app.db'), ...place.settings }
  const child = begin([place.executable ?? executable(), ...words], { ...place, folder, settings })
  if (child.pid !== undefined) place.started?.(child.pid)
  place.killed?.addEventListener('abort', () => endGroup(child))
  return ending(child, Infinity)
}

/** Runs a program of the faults to its end, with Node. */
export async function runNode(
  words: readonly string[],
  through: readonly string[] = [],
): Promise<Ended> {
  return ending(begin([process.execPath, ...words], { folder: newFolder(), through }))
}

/** Creates an empty folder, removed when the fault is over. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

// The same key for all, so that a login outlives its server.
const usual = {
  APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
  APP_URL: 'http://localhost:3000',
  PORT: '0',
  LOG_FORMAT: 'json',
  // Lets requests come from many addresses, each with throttles of its own.
  TRUSTED_PROXIES: 'loopback',
}

function begin(words: readonly string[], { folder, settings, through = [] }: Place): ChildProcess {
  const [command = '', ...rest] = [...through, ...words]
  const child = spawn(command, rest, {
    cwd: folder,
    env: { PATH: '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own, which can be killed together with the program that started it.
    detached: true,
  })
  whenOver(async () => {
    if (isOver(child)) return
    const ended = once(child, 'close')
    endGroup(child)
    await ended
  })
  return child
}

let copied: string | undefined

/** Returns the path of a copy of the executable, so that a build meanwhile changes nothing. */
function executable(): string {
  if (copied !== undefined) return copied
  const copy = join(newFolder(), appName)
  copyFileSync(built, copy, constants.COPYFILE_FICLONE)
  copied = copy
  whenOver(() => (copied = undefined))
  return copy
}

async function ending(child: ChildProcess, most = longestTail): Promise<Ended> {
  const stdout = tailOf(child.stdout, most)
  const stderr = tailOf(child.stderr, most)
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout: stdout(), stderr: stderr() }
}

/** Keeps the last characters of a process's output. */
function tailOf(stream: Readable | null, most: number): () => string {
  let tail = ''
  stream?.on('data', (part: Buffer) => (tail = (tail + String(part)).slice(-most)))
  return () => tail
}

const longestTail = 20_000
const mostLines = 1000

interface Log {
  readonly lines: Line[]
  readonly added: EventEmitter
}

function logOf({ stdout }: ChildProcess): Log {
  if (!stdout) throw new Error('The process was started without a log.')
  const log: Log = { lines: [], added: new EventEmitter().setMaxListeners(0) }
  createInterface({ input: stdout }).on('line', (text) => {
    const line = lineOf(text)
    log.lines.push(line)
    if (log.lines.length > mostLines) log.lines.shift()
    log.added.emit(line.message, line)
  })
  return log
}

/** A killed process may leave an incomplete line. */
function lineOf(text: string): Line {
  try {
    return JSON.parse(text) as Line
  } catch {
    return { level: 'error', message: text }
  }
}

async function awaitLine(log: Log, message: string, ended: Promise<Ended>): Promise<Line> {
  const line = log.lines.find((line) => line.message === message)
  if (line) return line
  const waiting = new AbortController()
  const over = ended.then(({ code, signal, stdout, stderr }) => {
    const how = `The server ended with ${code ?? signal} before it said "${message}":`
    throw new Error(`${how}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`)
  })
  try {
    const heard = once(log.added, message, { signal: waiting.signal })
    const [line] = (await Promise.race([heard, over])) as [Line]
    return line
  } finally {
    waiting.abort()
  }
}

function kill(child: ChildProcess, ended: Promise<Ended>): Promise<Ended> {
  endGroup(child)
  return ended
}

function endGroup(child: ChildProcess): void {
  // Not if it has ended: its process ID may have been reused.
  if (!isOver(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
}
