import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../client.ts'
import type { Extent, Tried } from '../fault.ts'
import { count, most, ms } from '../figures.ts'
import { type MailServer, startMailServer } from '../mail-server.ts'
import { run, type Server, start } from '../servers.ts'
import { until } from '../until.ts'
import { startDatabase } from './database-server.ts'
import { logIn, ofRound, registerSome } from './instances.ts'

// Milliseconds that the mail server takes for a mail, so that some are always in flight.
const slowness = 2000
/** Mails that a server has in flight at most. */
const atOnce = 3
const heldFor = 60_000
// Other servers take a silent one for gone after ten seconds, and check every two.
const longestTakenUp = 13_000
const longestWait = 60_000

const tookOver = 'taking up the jobs of a process that ended'
const gaveUp = 'others take this process for gone, so it gives up its jobs'

interface Seen {
  readonly tookUp: number
  readonly missing: number
  readonly twice: number
  readonly oftener: number
  readonly failed: number
}

/** One of two servers is held amid its mails, while the other takes them over, and wakes a minute later. */
export async function instanceHeld(extent: Extent): Promise<readonly Tried[]> {
  const { quick } = extent
  const [rounds, time] = quick ? [1, heldFor / 3] : [3, heldFor]
  const mails = await startMailServer(slowness)
  const database = await startDatabase(extent)
  const settings = { ...database.settings, ...mails.settings }
  const servers: [Server, Server] = [await start({ settings }), await start({ settings })]
  const user = new Visitor(servers[1])
  await user.register(emailOf(0))
  const seen: Seen[] = []
  for (let round = 0; round < rounds; round++)
    seen.push(await heldOnce(servers, { mails, user, time }))
  const { stdout } = await run(['jobs', '--json'], { settings })
  const ended = await Promise.all(servers.map((server) => server.stop()))
  const all = (what: keyof Seen) => seen.reduce((sum, each) => sum + each[what], 0)
  const isNoted = stdout.trim() === '[]'
  return [
    {
      fault: `one of two servers held by SIGSTOP for ${time / 1000} s amid its jobs, and woken, ${rounds} times`,
      promise:
        'its jobs taken over, none noted down by it when it wakes; no mail missing, twice at most those in flight; the other goes on',
      measured:
        `${count(rounds * 2 * ofRound)} mails, ${all('missing')} missing, ${all('twice')} sent twice, ` +
        `${all('oftener')} oftener; taken over ${ms(most(seen.map(({ tookUp }) => tookUp)))} after at most; ` +
        `${all('failed')} logins failed on the other; ` +
        (isNoted ? 'no job failed' : 'jobs failed'),
      holds:
        all('missing') === 0 &&
        all('oftener') === 0 &&
        all('failed') === 0 &&
        seen.every(({ twice, tookUp }) => twice <= atOnce && tookUp <= longestTakenUp) &&
        isNoted &&
        ended.every(({ code }) => code === 0),
    },
  ]
}

interface Holding {
  readonly mails: MailServer
  /** Of the server that is not held. */
  readonly user: Visitor
  readonly time: number
}

async function heldOnce(
  servers: readonly [Server, Server],
  { mails, user, time }: Holding,
): Promise<Seen> {
  const [held, other] = servers
  const emails = [...(await registerSome(servers))]
  const enough = mails.received.length + 1
  await until(() => mails.received.length >= enough, longestWait)
  held.signal('SIGSTOP')
  const began = performance.now()
  const given = saidOf(held, gaveUp)
  const before = saidOf(other, tookOver)
  const taken = until(() => saidOf(other, tookOver) > before, longestWait)
  const logins = [await logIn(user, 0), await logIn(user, 0)]
  const tookUp = await taken
  await pause(Math.max(0, time - (performance.now() - began)))
  held.signal('SIGCONT')
  // The woken server goes on under a new identity.
  await until(() => saidOf(held, gaveUp) > given, longestWait)
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

/** How many lines of its log have this message. */
function saidOf({ lines }: Server, message: string): number {
  return lines.filter((line) => line.message === message).length
}
