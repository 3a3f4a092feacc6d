import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { freePort } from '../../base/program/free-port.ts'
import { debianMirror, debianProgram } from '../processes/debian-program.ts'
import { memory } from '../processes/folders.ts'

const installed = '/usr/sbin/pgbouncer'

/** Whether PgBouncer is installed or can be fetched. */
export const hasPooler = existsSync(installed) || debianMirror() !== undefined

const nobody = 65_534

/** Returns the command of this machine's PgBouncer, or else of Debian's newest, which is fetched once. */
export async function poolerProgram(): Promise<readonly string[]> {
  if (existsSync(installed)) return [installed]
  return (await debianProgram('pgbouncer', 'sbin/pgbouncer')).command
}

/**
 * Puts a PgBouncer before the server of this URL until the end of the test, and returns its own URL. `mode`: how long
 * it lends a session of the server.
 */
export async function poolerBefore(url: string, mode: 'transaction' | 'session'): Promise<string> {
  const server = new URL(url)
  const port = await freePort()
  const folder = mkdtempSync(join(memory, 'pooler-'))
  chmodSync(folder, 0o755)
  const settings = join(folder, 'pgbouncer.ini')
  const login = [
    `host=${server.hostname} port=${server.port} user=${server.username}`,
    ...(server.password === '' ? [] : [`password=${decodeURIComponent(server.password)}`]),
  ].join(' ')
  const lines = [
    '[databases]',
    `* = ${login}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
  ]
  writeFileSync(settings, `${lines.join('\n')}\n`)
  const program = await poolerProgram()
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const as = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--']
  const [command, ...words] = [...(isRoot ? as : []), ...program, settings]
  const child = spawn(command, words, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const { promise: exited, resolve: hasExited } = Promise.withResolvers<void>()
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true })
  })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    createInterface({ input: child.stderr }).on('line', (line) => {
      output += `${line}\n`
      if (line.includes('process up')) resolve()
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      hasExited()
      reject(new Error(`PgBouncer ended with ${code} before it was ready:\n${output}`))
    })
  })
  const own = new URL(url)
  own.host = `127.0.0.1:${port}`
  return own.href
}
