import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, most, ms } from '../tools/figures.ts'
import { type MailServer, startMailServer } from '../tools/mail-server.ts'
import { run, type Server, start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase } from './database-server.ts'
import { logIn, ofRound, registerSome } from './instances.ts'

// Milliseconds that the mail server takes per mail, so that some are always in flight.
const slowness = 2000
/** The most mails that a server has in flight. */
const atOnce = 3
const heldFor = 60_000
// Other servers consider a silent one gone after ten seconds, and check every two.
const longestTakenUp = 13_000
const longestWait = 60_000

const tookOver = 'taking up the jobs of a process that ended'
const gaveUp = 'others take this process for gone, so it gives up its jobs'

interface Observation {
  readonly tookUp: number
  readonly missing: number
  readonly twice: number
  readonly oftener: number
  readonly failed: number
}

/** One of two servers is paused amid its mails, while the other takes them over, and wakes a minute later. */
export async function instanceHeld(extent: Extent): Promise<readonly Verdict[]> {
  const { quick } = extent
  const [rounds, time] = quick ? [1, heldFor / 3] : [3, heldFor]
  const mails = await startMailServer(slowness)
  const database = await startDatabase(extent)
  const settings = { ...database.settings, ...mails.settings }
  const servers: [Server, Server] = [await start({ settings }), await start({ settings })]
  const user = new Visitor(servers[1])
  await user.register(emailOf(0))
  const observations: Observation[] = []
  for (let round = 0; round < rounds; round++)
    observations.push(await heldOnce(servers, { mails, user, time }))
  const { stdout } = await run(['jobs', '--json'], { settings })
  const ended = await Promise.all(servers.map((server) => server.stop()))
  const total = (key: keyof Observation) => observations.reduce((sum, each) => sum + each[key], 0)
  const isNoted = stdout.trim() === '[]'
  return [
    {
      fault: `one of two servers held by SIGSTOP for ${time / 1000} s amid its jobs, and woken, ${rounds} times`,
      promise:
        'its jobs taken over, none noted down by it when it wakes; no mail missing, twice at most those in flight; the other goes on',
      measured:
        `${count(rounds * 2 * ofRound)} mails, ${total('missing')} missing, ${total('twice')} sent twice, ` +
        `${total('oftener')} oftener; taken over ${ms(most(observations.map(({ tookUp }) => tookUp)))} after at most; ` +
        `${total('failed')} logins failed on the other; ` +
        (isNoted ? 'no job failed' : 'jobs failed'),
      isKept:
        total('missing') === 0 &&
        total('oftener') === 0 &&
        total('failed') === 0 &&
        observations.every(({ twice, tookUp }) => twice <= atOnce && tookUp <= longestTakenUp) &&
        isNoted &&
        ended.every(({ code }) => code === 0),
    },
  ]
}

interface Holding {
  readonly mails: MailServer
  /** A user of the running server. */
  readonly user: Visitor
  readonly time: number
}

async function heldOnce(
  servers: readonly [Server, Server],
  { mails, user, time }: Holding,
): Promise<Observation> {
  const [held, otherServer] = servers
  const emails = [...(await registerSome(servers))]
  const enough = mails.received.length + 1
  await until(() => mails.received.length >= enough, longestWait)
  held.signal('SIGSTOP')
  const began = performance.now()
  const givenUp = countLogged(held, gaveUp)
  const before = countLogged(otherServer, tookOver)
  const takenOver = until(() => countLogged(otherServer, tookOver) > before, longestWait)
  const logins = [await logIn(user, 0), await logIn(user, 0)]
  const tookUp = await takenOver
  await pause(Math.max(0, time - (performance.now() - began)))
  held.signal('SIGCONT')
  // The woken server goes on under a new identity.
  await until(() => countLogged(held, gaveUp) > givenUp, longestWait)
  emails.push(...(await registerSome(servers)))
  const areSent = () => emails.every((email) => mails.received.includes(email))
  await until(areSent, longestWait)
  const times = emails.map((email) => mails.received.filter((to) => to === email).length)
  return {
    tookUp,
    missing: times.filter((n) => n === 0).length,
    twice: times.filter((n) => n === 2).length,
    oftener: times.filter((n) => n > 2).length,
    failed: logins.filter((isIn) => !isIn).length,
  }
}

/** Returns how many lines of its log have this message. */
function countLogged({ lines }: Server, message: string): number {
  return lines.filter((line) => line.message === message).length
}
