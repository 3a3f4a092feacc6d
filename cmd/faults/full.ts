import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../internal/base/program/free-port.ts'
import { emailOf, password } from '../../internal/testing/database/fill-database.ts'
import { photoOf, upload } from './tools/changes.ts'
import { type Answer, ask, mustBe, Visitor } from './tools/client.ts'
import { type Disk, mountDisk } from './tools/disk.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { run, type Server, start } from './tools/servers.ts'
import { until } from './tools/until.ts'

/** Fills the disk of the database, of the photos and of the log, and then frees space again. */
export async function full({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 1 : 5
  return [await database(rounds), await photos(rounds), await log(rounds)]
}

const pages = ['/dashboard', '/settings/profile', '/settings/security', '/notifications', '/up']

// Each write is made by a different visitor, so that no throttle stops one.
const writes: readonly ((server: Server, user: Visitor, n: number) => Promise<Answer>)[] = [
  (_, user, n) => user.rename(`Name ${n}`, emailOf(1)),
  (_, user) => upload(user),
  (server, _, n) => register(server, n),
  (server) => new Visitor(server).post('/login', { email: emailOf(2), password }),
  (server) => new Visitor(server).post('/forgot-password', { email: 'nobody@example.com' }),
  (_, user) => user.post('/logout', {}),
]

async function database(rounds: number): Promise<Verdict> {
  const disk = mountDisk(16)
  const { folder } = await createFilledDatabase(2)
  cpSync(folder, disk.folder, { recursive: true })
  const server = await start({ folder: disk.folder })
  const user = new Visitor(server)
  await user.logIn(emailOf(1))
  const pageStatuses = new Set<number>()
  const writeStatuses = new Set<number>()
  const recoveryStatuses = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    disk.fill()
    for (const write of writes) {
      writeStatuses.add((await write(server, user, round)).status)
      for (const page of pages) pageStatuses.add((await user.get(page)).status)
    }
    disk.empty()
    recoveryStatuses.add((await user.rename(`Name ${round}`, emailOf(1))).status)
  }
  const { code } = await server.stop()
  return {
    fault: `the database's disk is full, ${rounds} times`,
    promise:
      'reads go on, writes answer 500, the process stays, the first write after space returns works',
    figures:
      `${rounds * writes.length * pages.length} pages answered ${listStatuses(pageStatuses)}, ${rounds * writes.length} writes ${listStatuses(writeStatuses)}, ` +
      `the first after it ${listStatuses(recoveryStatuses)}; exit ${code} at the end`,
    isKept:
      listStatuses(pageStatuses) === '200' &&
      listStatuses(writeStatuses) === '500' &&
      listStatuses(recoveryStatuses) === '303' &&
      code === 0,
  }
}

async function photos(rounds: number): Promise<Verdict> {
  const disk = mountDisk(1)
  const { folder } = await createFilledDatabase(rounds)
  const server = await start({ folder, settings: { FILES_PATH: disk.folder } })
  const statuses = { during: new Set<number>(), read: new Set<number>(), after: new Set<number>() }
  let partialFiles = 0
  for (let round = 1; round <= rounds; round++) {
    const user = new Visitor(server)
    await user.logIn(emailOf(round))
    mustBe(303, await upload(user))
    disk.fill()
    statuses.during.add((await upload(user)).status)
    statuses.read.add((await photoOf(user)).status)
    partialFiles += countPartialFiles(disk)
    disk.empty()
    statuses.after.add((await upload(user)).status)
    user.leave()
  }
  await server.stop()
  return {
    fault: `the photos' disk is full, ${rounds} times`,
    promise:
      'a photo answers 500 and leaves nothing behind, the one before is still shown, the next one after space returns is kept',
    figures:
      `photos answered ${listStatuses(statuses.during)}, ${partialFiles} halves left behind, the one before ${listStatuses(statuses.read)}; ` +
      `after it ${listStatuses(statuses.after)}`,
    isKept:
      listStatuses(statuses.during) === '500' &&
      partialFiles === 0 &&
      listStatuses(statuses.read) === '200' &&
      listStatuses(statuses.after) === '303',
  }
}

function countPartialFiles({ folder }: Disk): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.part'),
  ).length
}

async function log(rounds: number): Promise<Verdict> {
  const disk = mountDisk(1)
  const file = join(disk.folder, 'log')
  const port = await freePort()
  // The log goes to a file, as when a script starts the server.
  const launcher = ['/bin/sh', '-c', 'exec "$0" "$@" >>"$LOG_TO"']
  const settings = { PORT: String(port), LOG_TO: file, APP_URL: `http://localhost:${port}` }
  let hasEnded = false
  void run([], { settings, launcher }).then(() => (hasEnded = true))
  await until(() => isUp(port), 10_000)
  const statuses = new Set<number>()
  let resumedRounds = 0
  for (let round = 0; round < rounds; round++) {
    disk.fill()
    for (let n = 0; n < 100; n++) statuses.add((await ask(port, '/login')).status)
    statuses.add((await register({ port }, round)).status)
    disk.empty()
    const mark = `after-${round}`
    await ask(port, `/${mark}`)
    const longest = 2000
    if ((await until(() => readFileSync(file, 'utf8').includes(mark), longest)) < longest)
      resumedRounds++
  }
  return {
    fault: `the log's disk is full, ${rounds} times`,
    promise: 'pages and writes go on, and so does the log once space returns',
    figures: `${101 * rounds} requests answered ${listStatuses(statuses)}; ${hasEnded ? 'the process ended' : 'the process stays'}; the log went on ${resumedRounds} of ${rounds} times`,
    isKept: listStatuses(statuses) === '200, 303' && !hasEnded && resumedRounds === rounds,
  }
}

async function isUp(port: number): Promise<boolean> {
  try {
    return (await ask(port, '/up')).status === 200
  } catch {
    return false
  }
}

function register(server: { readonly port: number }, n: number): Promise<Answer> {
  const form = { name: 'New', email: `new${n}@example.com` }
  const passwords = { password, password_confirmation: password }
  return new Visitor(server).post('/register', { ...form, ...passwords })
}

function listStatuses(statuses: ReadonlySet<number>): string {
  return [...statuses].toSorted((a, b) => a - b).join(', ')
}
