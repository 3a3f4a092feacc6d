import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import {
  type FailureMode,
  type BadMailServer,
  startBadMailServer,
} from './tools/bad-mail-server.ts'
import { upload } from './tools/changes.ts'
import { mustBe, Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, maximum, ms, steadyP99 } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { type Server, start } from './tools/servers.ts'
import { until } from './tools/until.ts'

const failureModes = ['dead', 'hanging', 'hanging at the end', 'slow', '4xx', '5xx'] as const
const longestSend = 70_000
const longestStart = 2000
// Each mail goes to a different user, since a user is mailed only once a minute.
const mails = 20
const pageUser = mails + 1
const photoUsers = [mails + 2, mails + 3, mails + 4]

/** Mail servers that fail in different ways, together with a healthy one, each with mails waiting for it. */
export async function smtp({ quick }: Extent): Promise<readonly Verdict[]> {
  const healthy = await startTrial('none')
  const failingTrials: Trial[] = []
  for (const failureMode of failureModes) failingTrials.push(await startTrial(failureMode))
  const trials = [healthy, ...failingTrials]
  await Promise.all(trials.map(askForMails))
  const failedSends = failingTrials.map(async (trial) => {
    const late = pause(2 * longestSend, undefined, { ref: false })
    await Promise.race([trial.server.untilLogged('job failed'), late])
    return performance.now() - trial.startedAt
  })
  const otherJobTimes = Promise.all(trials.map(timeOtherJobs))
  let isDone = false
  const sendTimes = Promise.all(failedSends).finally(() => (isDone = true))
  const pages = askForPages(trials, quick ? 1000 : 6000, () => isDone)
  const [sendDurations, jobDurations] = await Promise.all([sendTimes, otherJobTimes, pages])
  await Promise.all(trials.map(({ server }) => server.stop()))
  const healthyP99 = steadyP99(healthy.pages)
  return failingTrials.map((trial, n) =>
    verdict(trial, {
      healthyP99,
      sendDuration: sendDurations[n],
      jobDurations: jobDurations[n + 1] ?? [],
    }),
  )
}

interface Trial {
  readonly failureMode: FailureMode
  readonly mail: BadMailServer
  readonly server: Server
  readonly visitor: Visitor
  /** Each page's milliseconds. */
  readonly pages: number[]
  /** When the first mail was requested. */
  startedAt: number
}

interface TrialFigures {
  /** The p99 of the pages with the healthy one. */
  readonly healthyP99: number
  readonly sendDuration: number | undefined
  readonly jobDurations: readonly number[]
}

function verdict(
  { failureMode, mail, pages }: Trial,
  { healthyP99, sendDuration = Infinity, jobDurations }: TrialFigures,
): Verdict {
  const longest = maximum([sendDuration, ...mail.durations])
  const isUnaffected = steadyP99(pages) <= healthyP99 * 1.1 + 1
  return {
    fault: `a mail server that is ${failureMode}`,
    promise:
      'pages unaffected (p99 within 10 % and 1 ms of a server with a healthy one), a send ends within 70 s, other jobs start within 2 s',
    figures:
      `${count(pages.length)} pages p99 ${ms(steadyP99(pages))}, beside it ${ms(healthyP99)}; ` +
      `the first send failed after ${ms(sendDuration)}, the longest took ${ms(longest)}; other jobs done after ${ms(maximum(jobDurations))} at most`,
    isKept:
      isUnaffected &&
      longest <= longestSend &&
      jobDurations.length > 0 &&
      maximum(jobDurations) <= longestStart,
  }
}

async function startTrial(failureMode: FailureMode): Promise<Trial> {
  const { folder } = await createFilledDatabase(Math.max(...photoUsers))
  const mail = await startBadMailServer(failureMode)
  const settings = { ...mail.settings, FILES_PATH: join(folder, 'files') }
  const server = await start({ folder, settings })
  const visitor = new Visitor(server)
  await visitor.logIn(emailOf(pageUser))
  return { failureMode, mail, server, visitor, pages: [], startedAt: 0 }
}

/** Requests enough mails to occupy every worker that may run mail jobs. */
async function askForMails(trial: Trial): Promise<void> {
  trial.startedAt = performance.now()
  for (let user = 1; user <= mails; user++) {
    const guest = new Visitor(trial.server)
    mustBe(303, await guest.post('/forgot-password', { email: emailOf(user) }))
    guest.leave()
  }
}

/** Returns the milliseconds until a job has deleted a removed photo's file. */
async function timeOtherJobs({ server }: Trial): Promise<number[]> {
  const durations: number[] = []
  for (const user of photoUsers) {
    const visitor = new Visitor(server)
    await visitor.logIn(emailOf(user))
    mustBe(303, await upload(visitor))
    if (countPhotos(server) === 0)
      throw new Error('The file of a photo is not where it is looked for.')
    const began = performance.now()
    mustBe(303, await visitor.post('/settings/profile/photo', { _method: 'DELETE' }))
    const waited = await until(() => countPhotos(server) === 0, 10 * longestStart)
    durations.push(waited === Infinity ? waited : performance.now() - began)
    visitor.leave()
  }
  return durations
}

function countPhotos({ folder }: Server): number {
  const photos = join(folder, 'files', 'photos')
  return existsSync(photos) ? readdirSync(photos).length : 0
}

const paths = ['/dashboard', '/settings/profile', '/settings/security', '/notifications']

/** Requests pages from the servers in turn, so that other load affects all alike, until both conditions hold. */
async function askForPages(
  trials: readonly Trial[],
  rounds: number,
  isDone: () => boolean,
): Promise<void> {
  for (let round = 0; round < rounds || !isDone(); round++) {
    const path = paths[round % paths.length] ?? '/'
    for (let n = 0; n < trials.length; n++) {
      // Each round begins with a different server.
      const trial = trials[(n + round) % trials.length]
      if (!trial) continue
      const began = performance.now()
      mustBe(200, await trial.visitor.get(path))
      trial.pages.push(performance.now() - began)
    }
  }
}
