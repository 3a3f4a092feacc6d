import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { appName } from '../../../web/contract/name.ts'
import { hasExited } from './end-process.ts'
import { built } from './tested-build.ts'
import { ask, mustBe } from './client.ts'
import { onCleanUp } from './cleanup.ts'

type Settings = Readonly<Record<string, string>>

export interface StartOptions {
  /** The working folder, which contains the database; a new empty one if absent. */
  readonly folder?: string
  readonly settings?: Settings
  /**
   * A program that starts the executable, as its path and arguments. The started process must become the executable,
   * as with `prlimit` and `strace -D`, since signals are sent to that process.
   */
  readonly launcher?: readonly string[]
  /** Kills a command, as a power cut would. */
  readonly killSignal?: AbortSignal
  /** Called with a command's process ID. */
  readonly onStart?: (pid: number) => void
  /** The path of a build other than the tested one. */
  readonly executable?: string
}

/** One line of the log. */
export type Line = Readonly<Record<string, unknown>> & {
  readonly level: string
  readonly message: string
}

export interface ExitResult {
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
  readonly startupTime: number
  /** The last thousand lines of its log. */
  readonly lines: readonly Line[]
  readonly ended: Promise<ExitResult>
  signal(name: NodeJS.Signals): void
  /**
   * Resolves with the first line of this message, which may have been logged already. Rejects if the server ends
   * without it.
   */
  untilLogged(message: string): Promise<Line>
  /** Kills the server at once, together with the program that started it. */
  kill(): Promise<ExitResult>
  /** Stops the server like an operator. If it hangs it is killed, and has no exit code. */
  stop(): Promise<ExitResult>
}

// Milliseconds, far more than it may take.
const longestStop = 60_000

/** Starts the server, and resolves once it answers. Throws with its output if it ends before. */
export async function start(options: StartOptions = {}): Promise<Server> {
  const folder = options.folder ?? newFolder()
  const settings = { ...defaultSettings, DB_PATH: join(folder, 'app.db'), ...options.settings }
  const began = performance.now()
  const child = spawnProgram([options.executable ?? executable()], { ...options, folder, settings })
  const log = logOf(child)
  const ended = exitResult(child)
  const untilLogged = (message: string) => waitForLine(log, message, ended)
  const { address } = await untilLogged('serving')
  const port = Number(new URL(String(address)).port)
  mustBe(200, await ask(port, '/up'))
  return {
    pid: child.pid ?? 0,
    port,
    folder,
    database: settings.DB_PATH,
    startupTime: performance.now() - began,
    lines: log.lines,
    ended,
    untilLogged,
    signal: (name) => void child.kill(name),
    kill: () => kill(child, ended),
    stop() {
      child.kill('SIGTERM')
      const killTimer = setTimeout(() => killGroup(child), longestStop)
      return ended.finally(() => clearTimeout(killTimer))
    },
  }
}

/** Runs a command of the executable to its end. */
export async function run(
  args: readonly string[],
  options: StartOptions = {},
): Promise<ExitResult> {
  const folder = options.folder ?? newFolder()
  const settings = { ...defaultSettings, DB_PATH: join(folder, 'app.db'), ...options.settings }
  const child = spawnProgram([options.executable ?? executable(), ...args], {
    ...options,
    folder,
    settings,
  })
  if (child.pid !== undefined) options.onStart?.(child.pid)
  options.killSignal?.addEventListener('abort', () => killGroup(child))
  return exitResult(child, Infinity)
}

/** Runs a program of the faults to its end, with Node. */
export async function runNode(
  args: readonly string[],
  launcher: readonly string[] = [],
): Promise<ExitResult> {
  return exitResult(spawnProgram([process.execPath, ...args], { folder: newFolder(), launcher }))
}

/** Creates an empty folder, removed when the fault is over. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  onCleanUp(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

// The same key for all, so that a login outlives its server.
const defaultSettings = {
  APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
  APP_URL: 'http://localhost:3000',
  PORT: '0',
  LOG_FORMAT: 'json',
  // Lets requests come from many addresses, each with throttles of its own.
  TRUSTED_PROXIES: 'loopback',
}

function spawnProgram(
  args: readonly string[],
  { folder, settings, launcher = [] }: StartOptions,
): ChildProcess {
  const [command = '', ...rest] = [...launcher, ...args]
  const child = spawn(command, rest, {
    cwd: folder,
    env: { PATH: '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own, which can be killed together with the program that started it.
    detached: true,
  })
  onCleanUp(async () => {
    if (hasExited(child)) return
    const ended = once(child, 'close')
    killGroup(child)
    await ended
  })
  return child
}

let copyPath: string | undefined

/** Returns the path of a copy of the executable, so that a build meanwhile changes nothing. */
function executable(): string {
  if (copyPath !== undefined) return copyPath
  const copy = join(newFolder(), appName)
  copyFileSync(built, copy, constants.COPYFILE_FICLONE)
  copyPath = copy
  onCleanUp(() => (copyPath = undefined))
  return copy
}

async function exitResult(child: ChildProcess, maxCharacters = longestTail): Promise<ExitResult> {
  const stdout = tailOf(child.stdout, maxCharacters)
  const stderr = tailOf(child.stderr, maxCharacters)
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout: stdout(), stderr: stderr() }
}

/** Keeps the last characters of a process's output. */
function tailOf(stream: Readable | null, maxCharacters: number): () => string {
  let tail = ''
  stream?.on('data', (part: Buffer) => (tail = (tail + String(part)).slice(-maxCharacters)))
  return () => tail
}

const longestTail = 20_000
const mostLines = 1000

interface Log {
  readonly lines: Line[]
  readonly emitter: EventEmitter
}

function logOf({ stdout }: ChildProcess): Log {
  if (!stdout) throw new Error('The process was started without a log.')
  const log: Log = { lines: [], emitter: new EventEmitter().setMaxListeners(0) }
  createInterface({ input: stdout }).on('line', (text) => {
    const line = lineOf(text)
    log.lines.push(line)
    if (log.lines.length > mostLines) log.lines.shift()
    log.emitter.emit(line.message, line)
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

async function waitForLine(log: Log, message: string, ended: Promise<ExitResult>): Promise<Line> {
  const line = log.lines.find((line) => line.message === message)
  if (line) return line
  const controller = new AbortController()
  const endedEarly = ended.then(({ code, signal, stdout, stderr }) => {
    const reason = `The server ended with ${code ?? signal} before it said "${message}":`
    throw new Error(`${reason}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`)
  })
  try {
    const loggedLine = once(log.emitter, message, { signal: controller.signal })
    const [line] = (await Promise.race([loggedLine, endedEarly])) as [Line]
    return line
  } finally {
    controller.abort()
  }
}

function kill(child: ChildProcess, ended: Promise<ExitResult>): Promise<ExitResult> {
  killGroup(child)
  return ended
}

function killGroup(child: ChildProcess): void {
  // Not if it has ended: its process ID may have been reused.
  if (!hasExited(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
}
