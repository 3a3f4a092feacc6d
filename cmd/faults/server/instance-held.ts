import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, maximum, ms } from '../tools/figures.ts'
import { type MailServer, startMailServer } from '../tools/mail-server.ts'
import { run, type Server, start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase } from './database-server.ts'
import { logIn, accountsPerRound, registerAccounts } from './instances.ts'

// Milliseconds that the mail server takes per mail, so that some are always in flight.
const mailDelay = 2000
/** The most mails that a server has in flight. */
const mostInFlight = 3
const holdDuration = 60_000
// Other servers consider a silent one gone after ten seconds, and check every two.
const longestTakeover = 13_000
const longestWait = 60_000

const takeoverMessage = 'taking up the jobs of a process that ended'
const giveUpMessage = 'others take this process for gone, so it gives up its jobs'

interface Observation {
  readonly takeoverTime: number
  readonly missing: number
  readonly twice: number
  readonly moreOften: number
  readonly failed: number
}

/** One of two servers is paused amid its mails, while the other takes them over, and wakes a minute later. */
export async function instanceHeld(extent: Extent): Promise<readonly Verdict[]> {
  const { quick } = extent
  const [rounds, duration] = quick ? [1, holdDuration / 3] : [3, holdDuration]
  const mails = await startMailServer(mailDelay)
  const database = await startDatabase(extent)
  const settings = { ...database.settings, ...mails.settings }
  const servers: [Server, Server] = [await start({ settings }), await start({ settings })]
  const user = new Visitor(servers[1])
  await user.register(emailOf(0))
  const observations: Observation[] = []
  for (let round = 0; round < rounds; round++)
    observations.push(await holdOnce(servers, { mails, user, duration }))
  const { stdout } = await run(['jobs', '--json'], { settings })
  const results = await Promise.all(servers.map((server) => server.stop()))
  const total = (key: keyof Observation) => observations.reduce((sum, each) => sum + each[key], 0)
  const hasNoFailedJob = stdout.trim() === '[]'
  return [
    {
      fault: `one of two servers held by SIGSTOP for ${duration / 1000} s amid its jobs, and woken, ${rounds} times`,
      promise:
        'its jobs taken over, none noted down by it when it wakes; no mail missing, twice at most those in flight; the other goes on',
      figures:
        `${count(rounds * 2 * accountsPerRound)} mails, ${total('missing')} missing, ${total('twice')} sent twice, ` +
        `${total('moreOften')} oftener; taken over ${ms(maximum(observations.map(({ takeoverTime }) => takeoverTime)))} after at most; ` +
        `${total('failed')} logins failed on the other; ` +
        (hasNoFailedJob ? 'no job failed' : 'jobs failed'),
      isKept:
        total('missing') === 0 &&
        total('moreOften') === 0 &&
        total('failed') === 0 &&
        observations.every(
          ({ twice, takeoverTime }) => twice <= mostInFlight && takeoverTime <= longestTakeover,
        ) &&
        hasNoFailedJob &&
        results.every(({ code }) => code === 0),
    },
  ]
}

interface HoldOptions {
  readonly mails: MailServer
  /** A user of the running server. */
  readonly user: Visitor
  readonly duration: number
}

async function holdOnce(
  servers: readonly [Server, Server],
  { mails, user, duration }: HoldOptions,
): Promise<Observation> {
  const [heldServer, otherServer] = servers
  const emails = [...(await registerAccounts(servers))]
  const mailsBeforeHold = mails.received.length + 1
  await until(() => mails.received.length >= mailsBeforeHold, longestWait)
  heldServer.signal('SIGSTOP')
  const began = performance.now()
  const giveUpsBefore = countLogged(heldServer, giveUpMessage)
  const takeoversBefore = countLogged(otherServer, takeoverMessage)
  const takeover = until(
    () => countLogged(otherServer, takeoverMessage) > takeoversBefore,
    longestWait,
  )
  const logins = [await logIn(user, 0), await logIn(user, 0)]
  const takeoverTime = await takeover
  await pause(Math.max(0, duration - (performance.now() - began)))
  heldServer.signal('SIGCONT')
  // The woken server goes on under a new identity.
  await until(() => countLogged(heldServer, giveUpMessage) > giveUpsBefore, longestWait)
  emails.push(...(await registerAccounts(servers)))
  const areSent = () => emails.every((email) => mails.received.includes(email))
  await until(areSent, longestWait)
  const times = emails.map((email) => mails.received.filter((to) => to === email).length)
  return {
    takeoverTime,
    missing: times.filter((n) => n === 0).length,
    twice: times.filter((n) => n === 2).length,
    moreOften: times.filter((n) => n > 2).length,
    failed: logins.filter((isIn) => !isIn).length,
  }
}

/** Returns how many lines of its log have this message. */
function countLogged({ lines }: Server, message: string): number {
  return lines.filter((line) => line.message === message).length
}
