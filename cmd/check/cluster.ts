import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../internal/base/program/free-port.ts'
import { startServer as startMysql } from '../../internal/testing/mysql/own-server.ts'
import { startServer as startPostgres } from '../../internal/testing/postgres/embedded-server.ts'
import { appName } from '../../web/contract/name.ts'
import { Instance } from './cluster/instance.ts'
import { type Diary, Person } from './cluster/person.ts'
import { type Proxy, startProxy } from './cluster/proxy.ts'
import { check, must, need } from './machine.ts'
import { mailReader } from './mail-reader.ts'

const built = resolve(import.meta.dirname, '../../dist', appName)
const people = 6
const rounds = 3
const key = `base64:${randomBytes(32).toString('base64')}`

const servers = {
  postgres: { client: 'postgres', start: startPostgres },
  mysql: { client: 'mysql2', start: startMysql },
}

/**
 * `npm run check:cluster [-- --database mysql]`: people use three instances on one database server behind HAProxy while
 * each is started anew.
 */
await check('The cluster', async (folder) => {
  const database = asked()
  const { client, start } = servers[database]
  need({ haproxy: 'haproxy' })
  const list = `${built}.cdx.json`
  if (!existsSync(list) || !readFileSync(list, 'utf8').includes(`pkg:npm/${client}@`))
    throw new Error(`Build it first: npm run build -- --database ${database}`)
  chmodSync(folder, 0o755)
  const place = join(folder, database)
  mkdirSync(place)
  chmodSync(place, 0o755)
  const server = await start(place, { durable: true })
  try {
    await withInstances(folder, server.url)
  } finally {
    await server.stop()
  }
})

function asked(): keyof typeof servers {
  const options = { database: { type: 'string', default: 'postgres' } } as const
  const { database } = parseArgs({ options }).values
  if (database === 'postgres' || database === 'mysql') return database
  throw new Error(`--database takes ${Object.keys(servers).join(' or ')}, not ${database}.`)
}

async function withInstances(folder: string, url: string): Promise<void> {
  const executable = join(folder, appName)
  cpSync(built, executable)
  const port = await freePort()
  const links = new Map<string, string>()
  const instances = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const settings = await settingsOf({ folder, url, port, number })
      return new Instance(executable, settings, mailReader(links))
    }),
  )
  // All at once: one of them makes the tables.
  await Promise.all(instances.map((instance) => instance.start()))
  const proxy = await startProxy(folder, { port, instances })
  try {
    await proxy.allUp()
    await useWhileRestarted({ port, links }, { instances, proxy })
  } finally {
    await proxy.stop()
    await Promise.all(instances.map((instance) => instance.stop()))
  }
}

interface Place {
  readonly folder: string
  readonly url: string
  /** That of the proxy. */
  readonly port: number
  readonly number: number
}

async function settingsOf({ folder, url, port, number }: Place): Promise<Record<string, string>> {
  const home = join(folder, `instance-${number}`)
  mkdirSync(home)
  return {
    HOME: home,
    APP_URL: `http://localhost:${port}`,
    APP_KEY: key,
    DB_URL: url,
    // One folder for all.
    FILES_PATH: join(folder, 'files'),
    PORT: String(await freePort()),
    TRUSTED_PROXIES: 'loopback',
    LOG_FORMAT: 'json',
  }
}

interface Running {
  readonly instances: readonly Instance[]
  readonly proxy: Proxy
}

async function useWhileRestarted(
  { port, links }: { port: number; links: ReadonlyMap<string, string> },
  running: Running,
): Promise<void> {
  const waits: number[] = []
  const events: number[] = []
  const diary: Diary = {
    verificationLink: (email) => links.get(email),
    answered: (ms) => void waits.push(ms),
    heard: (ms) => void events.push(ms),
  }
  const failures: string[] = []
  const over = new AbortController()
  let lives = 0
  const liveOn = async () => {
    while (!over.signal.aborted) {
      const person = new Person(port, ++lives, diary)
      await person.live().catch((error: unknown) => failures.push(String(error)))
    }
  }
  const living = Promise.all(Array.from({ length: people }, liveOn))
  const codes = await restartAll(running).finally(() => over.abort())
  await living
  const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0
  const median = events.toSorted((a, b) => a - b)[Math.floor(events.length / 2)] ?? 0
  console.log(
    `${lives} people, ${waits.length} requests, p99 ${p99.toFixed(0)} ms; ${events.length} events heard, ` +
      `median ${median.toFixed(0)} ms after the answer; ${codes.length} restarts`,
  )
  must(
    'each instance stopped with exit code 0',
    codes.every((code) => code === 0),
  )
  must(
    `no request failed${failures.map((failure) => `\n${failure}`).join('')}`,
    failures.length === 0,
  )
}

/** Each instance after the other, when all are asked again. */
async function restartAll({ instances, proxy }: Running): Promise<(number | null)[]> {
  const codes: (number | null)[] = []
  for (let round = 0; round < rounds; round++)
    for (const [n, instance] of instances.entries()) {
      await proxy.set(n, 'drain')
      codes.push(await instance.stop())
      await instance.start()
      await proxy.set(n, 'ready')
      await proxy.allUp()
    }
  return codes
}
