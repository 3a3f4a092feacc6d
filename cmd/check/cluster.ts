import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { freePort } from '../../internal/base/program/free-port.ts'
import { startServer as startMysql } from '../../internal/testing/mysql/own-server.ts'
import { startServer as startPostgres } from '../../internal/testing/postgres/embedded-server.ts'
import { appName } from '../../web/contract/name.ts'
import { newDatabase } from '../faults/server/schema.ts'
import { median, p99 } from '../bench/table.ts'
import { frontendNames } from '../build/frontend-build.ts'
import { moveByReadme } from './cluster/move-by-readme.ts'
import { Instance } from './instance.ts'
import { type Diary, Person } from './cluster/person.ts'
import { type Proxy, startProxy } from './cluster/proxy.ts'
import { check, must, need } from './machine.ts'
import { mailReader } from './mail-reader.ts'

const root = resolve(import.meta.dirname, '../..')
const builtExecutable = join(root, 'dist', appName)
const people = 6
const rounds = 3
const key = `base64:${randomBytes(32).toString('base64')}`

const servers = { postgres: startPostgres, mysql: startMysql }

/**
 * `npm run check:cluster [-- --database mysql]`: moves an app from SQLite to a database server as the README says.
 * People use three instances there behind HAProxy while each is restarted, and load pages while each is updated.
 */
await check('The cluster', async (folder) => {
  const database = chosenDatabase()
  need({ haproxy: 'haproxy' })
  chmodSync(folder, 0o755)
  const serverFolder = join(folder, database)
  mkdirSync(serverFolder)
  chmodSync(serverFolder, 0o755)
  const server = await servers[database](serverFolder, { durable: true })
  try {
    await withInstances({ folder, database, server: server.url })
  } finally {
    await server.stop()
  }
})

function chosenDatabase(): keyof typeof servers {
  const options = { database: { type: 'string', default: 'postgres' } } as const
  const { database } = parseArgs({ options }).values
  if (database === 'postgres' || database === 'mysql') return database
  throw new Error(`--database takes ${Object.keys(servers).join(' or ')}, not ${database}.`)
}

interface ClusterOptions {
  readonly folder: string
  readonly database: keyof typeof servers
  /** The URL of a database on the server. */
  readonly server: string
}

async function withInstances({ folder, database, server }: ClusterOptions): Promise<void> {
  const port = await freePort()
  const url = await newDatabase(server, 'accounts', { database })
  const settings = { APP_URL: `http://localhost:${port}`, APP_KEY: key }
  const links = new Map<string, string>()
  const diary = { verificationLink: () => undefined, onAnswer: () => {}, onEvent: () => {} }
  const personAt = (at: number) => new Person(at, 0, diary)
  const file = await moveByReadme({ folder, database, url, settings }, personAt)
  const executable = join(folder, appName)
  cpSync(builtExecutable, executable)
  const nextExecutable = nextVersion(folder, database)
  const instances = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const home = join(folder, `instance-${number}`)
      mkdirSync(home)
      cpSync(file, join(home, '.env'))
      const ownSettings = { HOME: home, PORT: String(await freePort()), LOG_FORMAT: 'json' }
      return new Instance(executable, ownSettings, mailReader(links))
    }),
  )
  let proxy: Proxy | undefined
  try {
    // All at once, to check that only one of them migrates.
    await Promise.all(instances.map((instance) => instance.start()))
    proxy = await startProxy(folder, { port, instances })
    await proxy.allUp()
    await personAt(port).logInAgain()
    // Twenty people: if repeated submissions went to any server, hardly all would reach the one that got the first.
    for (let n = 1; n <= 20; n++) await new Person(port, 1_000 + n, diary).registerTwice()
    must('what is pressed again, since its answer was lost, is done once', true)
    await useWhileRestarted({ port, links }, { instances, proxy })
    await loadWhileUpdated({ port, nextExecutable }, { instances, proxy })
  } finally {
    await proxy?.stop()
    await Promise.all(instances.map((instance) => instance.stop()))
  }
}

interface Cluster {
  readonly instances: readonly Instance[]
  readonly proxy: Proxy
}

async function useWhileRestarted(
  { port, links }: { port: number; links: ReadonlyMap<string, string> },
  cluster: Cluster,
): Promise<void> {
  const durations: number[] = []
  const events: number[] = []
  const diary: Diary = {
    verificationLink: (email) => links.get(email),
    onAnswer: (ms) => void durations.push(ms),
    onEvent: (ms) => void events.push(ms),
  }
  const failures: string[] = []
  const stopLiving = new AbortController()
  let personCount = 0
  const liveRepeatedly = async () => {
    while (!stopLiving.signal.aborted) {
      const person = new Person(port, ++personCount, diary)
      await person.useAccount().catch((error: unknown) => failures.push(String(error)))
    }
  }
  const lifeLoops = Promise.all(Array.from({ length: people }, liveRepeatedly))
  const codes = await restartAll(cluster).finally(() => stopLiving.abort())
  await lifeLoops
  console.log(
    `${personCount} people, ${durations.length} requests, p99 ${p99(durations).toFixed(0)} ms; ${events.length} events heard, ` +
      `median ${median(events).toFixed(0)} ms after the answer; ${codes.length} restarts`,
  )
  must(`every event came, ${events.length} of them`, events.every(Number.isFinite))
  must(
    'each instance stopped with exit code 0',
    codes.every((code) => code === 0),
  )
  must(
    `no request failed${failures.map((failure) => `\n${failure}`).join('')}`,
    failures.length === 0,
  )
}

/** Makes a build whose pages have other files, as the next version's would: the same app with another frontend. */
function nextVersion(folder: string, database: ClusterOptions['database']): string {
  const executable = join(folder, `${appName}-next`)
  const otherFrontend = frontendNames.find((name) => name !== manifest.config.frontend) ?? ''
  const choices = ['--quiet', '--database', database, '--frontend', otherFrontend]
  const buildFiles = [builtExecutable, `${builtExecutable}.cdx.json`]
  const copyPath = (file: string) => join(folder, `present-${basename(file)}`)
  for (const file of buildFiles) cpSync(file, copyPath(file))
  try {
    execFileSync(process.execPath, ['build.ts', ...choices], { cwd: root })
    cpSync(builtExecutable, executable)
  } finally {
    for (const file of buildFiles) cpSync(copyPath(file), file)
  }
  return executable
}

/** Updates the instances one after the other, and loads pages with all of their files in between. */
async function loadWhileUpdated(
  { port, nextExecutable }: { port: number; nextExecutable: string },
  { instances, proxy }: Cluster,
): Promise<void> {
  const missingFiles: number[] = []
  const before = await filesOf(port)
  for (const [n, instance] of instances.entries()) {
    instance.update(nextExecutable)
    await restart(n, { instances, proxy })
    for (let load = 0; load < 10; load++) missingFiles.push(await countMissingFiles(port))
  }
  const after = await filesOf(port)
  must(
    'the next version has files of its own',
    after.some((file) => !before.includes(file)),
  )
  const brokenPages = missingFiles.filter((lost) => lost > 0).length
  must(
    `no page lacked a file between two versions (${brokenPages} of ${missingFiles.length} did)`,
    brokenPages === 0,
  )
}

/** Returns how many of the files that a page loads are missing. */
async function countMissingFiles(port: number): Promise<number> {
  const answers = await Promise.all((await filesOf(port)).map((file) => fetch(file)))
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  return answers.filter(({ status }) => status !== 200).length
}

/** Returns the files that a page loads. */
async function filesOf(port: number): Promise<string[]> {
  const origin = `http://localhost:${port}`
  const page = await (await fetch(`${origin}/register`)).text()
  const files = [...new Set(page.match(/\/assets\/[\w.-]+/g))]
  if (files.length === 0) throw new Error(`The page of ${origin}/register names no files: ${page}`)
  return files.map((file) => origin + file)
}

/** Restarts the instances one after the other, each once all are up again. */
async function restartAll({ instances, proxy }: Cluster): Promise<(number | null)[]> {
  const codes: (number | null)[] = []
  for (let round = 0; round < rounds; round++)
    for (const n of instances.keys()) codes.push(await restart(n, { instances, proxy }))
  return codes
}

/** Restarts the nth instance as the README says, and returns its exit code. */
async function restart(n: number, { instances, proxy }: Cluster): Promise<number | null> {
  const instance = instances[n]
  if (!instance) throw new Error(`There are ${instances.length} instances.`)
  await proxy.set(n, 'drain')
  const code = await instance.stop()
  await instance.start()
  await proxy.set(n, 'ready')
  await proxy.allUp()
  return code
}
