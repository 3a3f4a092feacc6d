import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { environment } from '../../../internal/base/settings/config.ts'
import { freePort } from '../../../internal/base/program/free-port.ts'

/** A server process that accepts connections. */
export interface Child {
  readonly port: number
  /** Resolves when it has ended, with what it wrote to standard error. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

/**
 * The server ended before accepting connections. The message is its standard error, which the terminal has shown
 * already.
 */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly'
}

/** Starts the server on a free port. Resolves once it accepts connections; throws an EndedEarly if it ends before. */
export async function startChild(program: string): Promise<Child> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', '--disable-proto=delete', program],
    {
      env: { ...environment(), HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'inherit', 'pipe'],
      // Outside the terminal's process group, so that Ctrl-C does not reach it: the runner stops it, once.
      detached: true,
    },
  )
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let stderrTail = ''
  child.stderr.on('data', (part: Buffer) => {
    process.stderr.write(part)
    stderrTail = (stderrTail + part.toString()).slice(-20_000)
  })
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', kill)
    return `${stderrTail}\nThe server ended with exit code ${code}.`
  })
  const polling = new AbortController()
  const refused = ended.then((reason) => Promise.reject(new EndedEarly(reason)))
  await Promise.race([untilListening(port, polling.signal), refused]).finally(() => polling.abort())
  return { port, ended, stop: () => stop(child.kill.bind(child), ended) }
}

async function stop(
  kill: (signal: NodeJS.Signals) => boolean,
  ended: Promise<string>,
): Promise<void> {
  kill('SIGTERM')
  const killTimer = new AbortController()
  await Promise.race([ended, pause(3000, undefined, killTimer).then(() => kill('SIGKILL'))])
  killTimer.abort()
}

async function untilListening(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await takesConnections(port))) await pause(10)
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
