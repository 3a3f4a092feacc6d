import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { endProcess } from '../faults/tools/end-process.ts'
import { withTimeout } from './until.ts'

export type Settings = Readonly<Record<string, string>>

/** One line of a log. */
export type Line = Readonly<Record<string, unknown>> & { readonly message: string }

/** One of several servers on one database, which can be restarted any number of times. */
export class Instance {
  readonly port: number
  #executable: string
  readonly #settings: Settings
  readonly #onLine: (line: Line) => void
  #child: ChildProcess | undefined

  constructor(executable: string, settings: Settings, onLine: (line: Line) => void) {
    this.#executable = executable
    this.#settings = settings
    this.#onLine = onLine
    this.port = Number(settings['PORT'])
  }

  /** Makes the instance run another build from its next start on. */
  update(executable: string): void {
    this.#executable = executable
  }

  /** Resolves once the instance logs that it serves. Throws if it takes too long, or with its standard error if it ends before. */
  async start(): Promise<void> {
    const child = spawn(this.#executable, [], {
      env: { ...this.#settings },
      cwd: this.#settings['HOME'],
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    let stderr = ''
    child.stderr.on('data', (part: Buffer) => (stderr += String(part)))
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`An instance ended with ${String(code)} before it served: ${stderr}`)
    })
    // If it ends later, that is no error of the start.
    ended.catch(() => {})
    await withTimeout('an instance serves', Promise.race([this.#serving(child), ended]))
  }

  /** Stops it like a supervisor, and returns its exit code. */
  async stop(): Promise<number | null> {
    if (!this.#child) return null
    return withTimeout('an instance ends after SIGTERM', endProcess(this.#child, 'SIGTERM'))
  }

  #serving({ stdout }: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      if (!stdout) return
      createInterface({ input: stdout }).on('line', (text) => {
        const line = lineOf(text)
        this.#onLine(line)
        if (line.message === 'serving') resolve()
      })
    })
  }
}

/** Reads a line of the log; one that is no JSON, such as a warning of Node, is all message. */
function lineOf(text: string): Line {
  try {
    return JSON.parse(text) as Line
  } catch {
    return { message: text }
  }
}
