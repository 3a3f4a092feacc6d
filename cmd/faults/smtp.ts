import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { type Badness, type BadMailServer, startBadMailServer } from './tools/bad-mail-server.ts'
import { upload } from './tools/changes.ts'
import { mustBe, Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, most, ms, steadyP99 } from './tools/figures.ts'
import { filled } from './tools/filled.ts'
import { type Server, start } from './tools/servers.ts'
import { until } from './tools/until.ts'

const badnesses = ['dead', 'hanging', 'hanging at the end', 'slow', '4xx', '5xx'] as const
const longestSend = 70_000
const longestStart = 2000
// Each mail goes to a different user, since a user is mailed only once a minute.
const mails = 20
const reader = mails + 1
const photographers = [mails + 2, mails + 3, mails + 4]

/** Mail servers that fail in different ways, together with a healthy one, each with mails waiting for it. */
export async function smtp({ quick }: Extent): Promise<readonly Verdict[]> {
  const healthy = await begin('none')
  const bad: Beside[] = []
  for (const badness of badnesses) bad.push(await begin(badness))
  const all = [healthy, ...bad]
  await Promise.all(all.map(askForMails))
  const failing = bad.map(async (beside) => {
    const late = pause(2 * longestSend, undefined, { ref: false })
    await Promise.race([beside.server.untilLogged('job failed'), late])
    return performance.now() - beside.startedAt
  })
  const others = Promise.all(all.map(otherJobs))
  let isOver = false
  const sends = Promise.all(failing).finally(() => (isOver = true))
  const pages = askForPages(all, quick ? 1000 : 6000, () => isOver)
  const [took, begun] = await Promise.all([sends, others, pages])
  await Promise.all(all.map(({ server }) => server.stop()))
  const calm = steadyP99(healthy.pages)
  return bad.map((beside, n) => verdict(beside, { calm, took: took[n], begun: begun[n + 1] ?? [] }))
}

interface Beside {
  readonly badness: Badness
  readonly mail: BadMailServer
  readonly server: Server
  readonly visitor: Visitor
  /** Each page's milliseconds. */
  readonly pages: number[]
  /** When the first mail was requested. */
  startedAt: number
}

interface Figures {
  /** The p99 of the pages with the healthy one. */
  readonly calm: number
  readonly took: number | undefined
  readonly begun: readonly number[]
}

function verdict(
  { badness, mail, pages }: Beside,
  { calm, took = Infinity, begun }: Figures,
): Verdict {
  const longest = most([took, ...mail.took])
  const isUnaffected = steadyP99(pages) <= calm * 1.1 + 1
  return {
    fault: `a mail server that is ${badness}`,
    promise:
      'pages unaffected (p99 within 10 % and 1 ms of a server with a healthy one), a send ends within 70 s, other jobs start within 2 s',
    measured:
      `${count(pages.length)} pages p99 ${ms(steadyP99(pages))}, beside it ${ms(calm)}; ` +
      `the first send failed after ${ms(took)}, the longest took ${ms(longest)}; other jobs done after ${ms(most(begun))} at most`,
    isKept:
      isUnaffected && longest <= longestSend && begun.length > 0 && most(begun) <= longestStart,
  }
}

async function begin(badness: Badness): Promise<Beside> {
  const { folder } = await filled(Math.max(...photographers))
  const mail = await startBadMailServer(badness)
  const settings = { ...mail.settings, FILES_PATH: join(folder, 'files') }
  const server = await start({ folder, settings })
  const visitor = new Visitor(server)
  await visitor.logIn(emailOf(reader))
  return { badness, mail, server, visitor, pages: [], startedAt: 0 }
}

/** Requests enough mails to occupy every worker that may run mail jobs. */
async function askForMails(beside: Beside): Promise<void> {
  beside.startedAt = performance.now()
  for (let user = 1; user <= mails; user++) {
    const guest = new Visitor(beside.server)
    mustBe(303, await guest.post('/forgot-password', { email: emailOf(user) }))
    guest.leave()
  }
}

/** Returns the milliseconds until a job has deleted a removed photo's file. */
async function otherJobs({ server }: Beside): Promise<number[]> {
  const took: number[] = []
  for (const user of photographers) {
    const visitor = new Visitor(server)
    await visitor.logIn(emailOf(user))
    mustBe(303, await upload(visitor))
    if (photosIn(server) === 0)
      throw new Error('The file of a photo is not where it is looked for.')
    const began = performance.now()
    mustBe(303, await visitor.post('/settings/profile/photo', { _method: 'DELETE' }))
    const waited = await until(() => photosIn(server) === 0, 10 * longestStart)
    took.push(waited === Infinity ? waited : performance.now() - began)
    visitor.leave()
  }
  return took
}

function photosIn({ folder }: Server): number {
  const photos = join(folder, 'files', 'photos')
  return existsSync(photos) ? readdirSync(photos).length : 0
}

const paths = ['/dashboard', '/settings/profile', '/settings/security', '/notifications']

/** Requests pages from the servers in turn, so that other load affects all alike, until both conditions hold. */
async function askForPages(
  all: readonly Beside[],
  rounds: number,
  isOver: () => boolean,
): Promise<void> {
  for (let round = 0; round < rounds || !isOver(); round++) {
    const path = paths[round % paths.length] ?? '/'
    for (let n = 0; n < all.length; n++) {
      // Each round begins with a different server.
      const beside = all[(n + round) % all.length]
      if (!beside) continue
      const began = performance.now()
      mustBe(200, await beside.visitor.get(path))
      beside.pages.push(performance.now() - began)
    }
  }
}
