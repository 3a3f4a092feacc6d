import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../internal/base/program/free-port.ts'
import { untilUp } from './load.ts'

const bareServer =
  "require('node:http').createServer((_, response) => response.end('up')).listen(Number(process.argv[1]), '127.0.0.1')"

// The event stream has a path of its own, so that it can be requested like the service's.
const bareStreams =
  "require('node:http').createServer((request, response) => { " +
  "if (request.url === '/up') return response.end('up'); " +
  "response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }); " +
  "response.write(':\\n\\n') }).listen(Number(process.argv[1]), '127.0.0.1')"

export interface RunningProgram {
  readonly pid: number
  readonly port: number
  /** Milliseconds from its start to its first 200. */
  readonly startupTime: number
  stop(): Promise<void>
}

/** The programs and folders of the benchmarks. `close` ends and removes all of them. */
export class Programs {
  /** The path of a copy of the executable. */
  readonly executable: string
  readonly #runtime: string
  readonly #children = new Set<ChildProcess>()
  readonly #folders = new Set<string>()
  readonly #extraSettings: Record<string, string>
  #closed = false

  /** `extraSettings`: settings of the service besides those of every bench. */
  constructor(executable: string, extraSettings: Record<string, string> = {}) {
    this.#extraSettings = extraSettings
    // Copies: how much of a program's file counts as its memory depends on how it got into the page cache.
    const folder = this.#folder()
    this.executable = join(folder, 'app')
    this.#runtime = join(folder, 'node')
    copyFileSync(executable, this.executable)
    copyFileSync(process.execPath, this.#runtime)
  }

  /** Creates a folder with a migrated database, and returns the database's path. */
  database(): string {
    const folder = this.#folder()
    const database = join(folder, 'bench.db')
    execFileSync(this.executable, ['migrate'], { cwd: folder, env: this.#settings(0, database) })
    return database
  }

  /** Starts the service over a database, logging each request as by default. */
  async app(database: string): Promise<RunningProgram> {
    const port = await freePort()
    return this.#server(this.executable, [], { port, env: this.#settings(port, database) })
  }

  /** Starts Node's own server with nothing behind it: an answer of two bytes. */
  bareServer(): Promise<RunningProgram> {
    return this.#bare(bareServer)
  }

  /**
   * Starts Node's own server, which answers each path but `/up` with an event stream that sends one comment and stays
   * open.
   */
  bareStreams(): Promise<RunningProgram> {
    return this.#bare(bareStreams)
  }

  /** Starts the service from its sources, assembled by a program of the bench, over a database. */
  async fromSources(program: string, database: string): Promise<RunningProgram> {
    const port = await freePort()
    return this.#server(this.#runtime, [program], { port, env: this.#settings(port, database) })
  }

  /** Starts a JavaScript program with its port, a new file for its database, and `options`. */
  async peer(program: string, options: readonly string[]): Promise<RunningProgram> {
    const [port, database] = [await freePort(), join(this.#folder(), 'peer.db')]
    const args = [program, String(port), database, ...options]
    return this.#server(this.#runtime, args, { port, env: { NODE_ENV: 'production' } })
  }

  async #bare(program: string): Promise<RunningProgram> {
    const port = await freePort()
    return this.#server(this.#runtime, ['-e', program, String(port)], { port, env: {} })
  }

  #settings(port: number, database: string): Record<string, string> {
    return { ...settings(port, database), ...this.#extraSettings }
  }

  #folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'bench-'))
    this.#folders.add(folder)
    return folder
  }

  async #server(
    command: string,
    args: readonly string[],
    { port, env }: { port: number; env: Record<string, string> },
  ): Promise<RunningProgram> {
    const started = performance.now()
    const child = this.#spawn(command, args, env)
    const ended = once(child, 'exit')
    await Promise.race([
      untilUp(port),
      ended.then(() => Promise.reject(new Error(`${command} ended before it answered.`))),
    ])
    const startupTime = performance.now() - started
    const stop = async () => {
      child.kill()
      await ended
    }
    return { pid: child.pid ?? 0, port, startupTime, stop }
  }

  /** Returns the milliseconds in which the same runtime starts, does nothing and ends. */
  async bareStart(): Promise<number> {
    const started = performance.now()
    await once(this.#spawn(this.#runtime, ['-e', '0'], {}), 'exit')
    return performance.now() - started
  }

  #spawn(command: string, args: readonly string[], env: Record<string, string>): ChildProcess {
    if (this.#closed) throw new Error('The benchmarks have ended.')
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const forget = () => this.#children.delete(child)
    this.#children.add(child)
    child.on('exit', forget).on('error', forget)
    return child
  }

  /** Ends the running programs; the copies and the databases stay. */
  async end(): Promise<void> {
    const exits = [...this.#children].map((child) => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      return ended
    })
    await Promise.all(exits)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.end()
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
    this.#folders.clear()
  }
}

const key = `base64:${randomBytes(32).toString('base64')}`

function settings(port: number, database: string): Record<string, string> {
  return {
    APP_KEY: key,
    APP_URL: 'http://127.0.0.1',
    HOST: '127.0.0.1',
    PORT: String(port),
    DB_PATH: database,
    LOG_LEVEL: 'info',
    // Lets the load come from many addresses, each with throttles of its own.
    TRUSTED_PROXIES: 'loopback',
  }
}
