import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment, type Environment } from '../../internal/base/settings/config.ts'
import { withTimeout } from './until.ts'

export interface RunOptions {
  /** The root of the image's file system. */
  readonly root: string
  /** What is mounted at /data. */
  readonly volume: string
  readonly user: number
  readonly command: readonly string[]
  readonly settings: Environment
}

export interface Container {
  /** The logged warnings and errors. */
  readonly complaints: readonly string[]
  /** Tells it to stop, and resolves with its exit code. */
  stop(): Promise<number | null>
}

/**
 * Runs an image's content as strictly as any engine can: as process 1, with nothing but /proc, its own files
 * read-only, one volume, and no privilege escalation. Resolves once it serves.
 */
export async function start({
  root,
  volume,
  user,
  command,
  settings,
}: RunOptions): Promise<Container> {
  mkdirSync(join(root, 'proc'), { recursive: true })
  const rootOptions = [
    '--root',
    root,
    '--wd',
    '/data',
    '--setgid',
    `${user}`,
    '--setuid',
    `${user}`,
  ]
  const args = [
    ...namespaceOptions,
    root,
    volume,
    'setpriv',
    '--no-new-privs',
    'unshare',
    ...rootOptions,
  ]
  const child = spawn('unshare', [...args, '--', ...command], {
    env: { ...settings, PATH: environment().PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const complaints: string[] = []
  const { promise: serving, resolve } = Promise.withResolvers<boolean>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/"level":"(warn|error)"/.test(line)) complaints.push(line)
    if (line.includes('"message":"serving"')) resolve(true)
  })
  const begun = withTimeout('the image serves', Promise.race([serving, exited.then(() => false)]))
  const isServing = await begun.catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  if (!isServing) throw new Error(`It ended before it served.\n${complaints.join('\n')}`)
  return {
    complaints,
    stop: async () => {
      // Signals the container's first process, the only child of the `unshare` that made the namespaces.
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      process.kill(Number(children), 'SIGTERM')
      const [code] = await withTimeout('the image ends after SIGTERM', exited)
      return code
    },
  }
}

const mounts = [
  'mount --bind "$1" "$1"',
  'mount -t proc proc "$1/proc"',
  'mount --bind "$2" "$1/data"',
  'mount -o remount,bind,ro "$1"',
  'shift 2',
  'exec "$@"',
]
const namespaceOptions = [
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  'sh',
  '-c',
  mounts.join(' && '),
  'sh',
]
