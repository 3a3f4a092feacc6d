import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../internal/base/program/free-port.ts'
import { appName } from '../../web/contract/name.ts'
import { buildahIn } from './build-image.ts'
import { start, type RunOptions } from './container.ts'
import { must, output } from './machine.ts'

/** An image's configuration: how to run it. */
interface Image {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, unknown>>
  readonly ExposedPorts: Readonly<Record<string, unknown>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

const program = `/usr/local/bin/${appName}`

const password = 'correct horse battery'
const email = 'ann@example.com'
const person = { name: 'Ann', email, password, password_confirmation: password }

/** Checks an image's configuration, runs the image on a volume as an engine does, and prints its size. */
export async function tryImage(folder: string, name: string): Promise<void> {
  const buildah = buildahIn(folder)
  const container = buildah('from', '--pull-never', name)
  const root = buildah('mount', container)
  const inspection = JSON.parse(buildah('inspect', '--type', 'image', name)) as {
    readonly Docker: { readonly config: Image }
  }
  const image = inspection.Docker.config
  checkConfiguration(image, root)
  const run = (settings: Readonly<Record<string, string>>, command: readonly string[]) => {
    const environmentOptions = Object.entries(settings).flatMap(([key, value]) => [
      '--env',
      `${key}=${value}`,
    ])
    const runOptions = [
      '--isolation',
      'chroot',
      '--network',
      'host',
      ...environmentOptions,
      container,
    ]
    return buildah('run', ...runOptions, '--', ...command)
  }
  const licenses = run({}, [...image.Entrypoint, 'licenses'])
  must(
    'it prints the licenses of Node and of the libraries of Debian',
    ['Node.js contributors', 'libc6, of Debian'].every((text) => licenses.includes(text)),
  )
  const health = (settings: Readonly<Record<string, string>>) =>
    run(settings, image.Healthcheck.Test.slice(1))
  await runOnVolume({ root, folder, image, health })
  printSize(root)
}

function checkConfiguration(image: Image, root: string): void {
  const { User, Env, Entrypoint, WorkingDir, Volumes, ExposedPorts, Healthcheck } = image
  const settings = ['HOST=0.0.0.0', `DB_PATH=/data/${appName}.db`, 'FILES_PATH=/data/files']
  must('it names a user by number, who is not root', /^[1-9]\d*:[1-9]\d*$/.test(User))
  must(
    `it sets ${settings.join(', ')}`,
    settings.every((setting) => Env.includes(setting)),
  )
  must('/data is a volume, and where it runs', '/data' in Volumes && WorkingDir === '/data')
  must('it serves at port 3000', '3000/tcp' in ExposedPorts)
  must('it starts the executable itself', Entrypoint.join(' ') === program)
  must(
    'the executable itself tells its health',
    Healthcheck.Test.join(' ') === `CMD ${program} health`,
  )
  must(
    'there is no shell in it',
    !existsSync(join(root, 'bin')) && !existsSync(join(root, 'usr/bin')),
  )
}

interface VolumeOptions {
  readonly root: string
  readonly folder: string
  readonly image: Image
  readonly health: (settings: Readonly<Record<string, string>>) => string
}

/** Runs the image three times on one volume, the last time as a user unknown to the image. */
async function runOnVolume({ root, folder, image, health }: VolumeOptions): Promise<void> {
  const volume = join(folder, 'volume')
  mkdirSync(volume)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const key = `base64:${randomBytes(32).toString('base64')}`
  writeFileSync(join(volume, 'key'), key, { mode: 0o400 })
  // On loopback, since the container shares this machine's network. The health check uses the image's own HOST.
  const ownSettings = {
    APP_KEY_FILE: '/data/key',
    APP_URL: origin,
    PORT: `${port}`,
    HOST: '127.0.0.1',
  }
  const settings = {
    ...Object.fromEntries(image.Env.map((line) => line.split('='))),
    ...ownSettings,
  }
  const user = Number(image.User.split(':')[0])
  const run = { root, volume, user, command: image.Entrypoint, settings }
  await runAndStop(run, async () => {
    must(
      'health ends with 0 while it serves',
      health({ ...ownSettings, ...healthSettings(key) }) === 'up',
    )
    must('a person registers', (await post(origin, '/register', person)) === '/dashboard')
  })
  must(
    'a stopped one is not well',
    !isHealthy(() => health({ ...ownSettings, ...healthSettings(key) })),
  )
  await runAndStop(run, async () => checkLogin(origin))
  await runAndStop({ ...run, user: 23_456 }, async () => checkLogin(origin))
}

/**
 * Settings for the health check: /data is not mounted for it here, so it gets the key itself rather than the key's
 * file.
 */
function healthSettings(key: string) {
  return { APP_KEY: key, APP_KEY_FILE: '', HOST: '0.0.0.0' }
}

function isHealthy(health: () => string): boolean {
  try {
    health()
    return true
  } catch {
    return false
  }
}

async function runAndStop(run: RunOptions, work: () => Promise<void>): Promise<void> {
  const { volume, user } = run
  for (const path of ['.', ...readdirSync(volume, { recursive: true, encoding: 'utf8' })])
    chownSync(join(volume, path), user, user)
  const running = await start(run)
  try {
    console.log(`It serves as user ${user}, process 1, on a read-only root.`)
    await work()
  } catch (error) {
    await running.stop()
    throw error
  }
  must('SIGTERM ends it with exit code 0', (await running.stop()) === 0)
  must(`it logged no warning${running.complaints.join('')}`, running.complaints.length === 0)
}

async function checkLogin(origin: string): Promise<void> {
  const path = await post(origin, '/login', { email, password })
  must('the person is there, and logs in', path === '/dashboard')
}

/** Returns the path that a form's answer redirects to. */
async function post(origin: string, path: string, form: Readonly<Record<string, string>>) {
  const body = new URLSearchParams(form)
  const answer = await fetch(origin + path, { method: 'POST', redirect: 'manual', body })
  return new URL(answer.headers.get('location') ?? path, origin).pathname
}

function printSize(root: string): void {
  const packed = output('sh', ['-c', 'tar -c -C "$1" . | gzip | wc -c', 'sh', root])
  const [bytes = ''] = output('du', ['-sb', root]).split('\t')
  console.log(`size: ${megabytes(bytes)}, ${megabytes(packed)} compressed`)
}

function megabytes(bytes: string): string {
  return `${(Number(bytes) / 1e6).toFixed(1)} MB`
}
