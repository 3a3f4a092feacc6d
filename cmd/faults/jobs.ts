import { openDatabase } from '#db/driver'
import { presences } from '#db/presence'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { mustBe, Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, most, ms } from './tools/figures.ts'
import { filled } from './tools/filled.ts'
import { type MailServer, startMailServer } from './tools/mail-server.ts'
import { type Server, start } from './tools/servers.ts'
import { until } from './tools/until.ts'

/** Mails per round, each to a different user, since a user is mailed only once a minute. */
const ofRound = 40
// Milliseconds that the mail server takes per mail, so that some are always in flight.
const slowness = 25
const atOnce = 1000
const longestTakenUp = 60_000

/** kill -9 while mails are sent: followed by a restart, and with another process running. */
export async function jobs({ quick }: Extent): Promise<readonly Verdict[]> {
  return [await startedAgain(quick ? 4 : 20), await takenUp(quick ? 2 : 10)]
}

async function startedAgain(rounds: number): Promise<Verdict> {
  const mails = await startMailServer(slowness)
  const { folder, database } = await filled(rounds * ofRound)
  const place = { folder, settings: mails.settings }
  const sent: Sent[] = []
  const begun: number[] = []
  for (let round = 0; round < rounds; round++) {
    const doomed = await start(place)
    const before = mails.received.length
    const emails = await askForMails(doomed, round)
    const inFlight = await killAmid(doomed, database, mails)
    const soFar = mails.received.length
    const next = await start(place)
    begun.push(await until(() => mails.received.length > soFar, longestTakenUp))
    await until(() => isEmpty(database), longestTakenUp)
    await next.stop()
    sent.push({ emails, received: mails.received.slice(before), inFlight })
  }
  const { missing, twice, flying, isBounded } = counted(sent)
  return {
    fault: `kill -9 while jobs run, ${rounds} times, and a start after it`,
    promise:
      'no mail missing; twice at most as many as were in flight; taken up at once (1 s) at the start',
    measured:
      `${count(rounds * ofRound)} mails, ${missing} missing; ${twice} sent twice of ${flying} in flight; ` +
      `the first ${ms(most(begun))} after the start at most`,
    isKept: missing === 0 && isBounded && most(begun) <= atOnce,
  }
}

async function takenUp(rounds: number): Promise<Verdict> {
  const mails = await startMailServer(slowness)
  const { folder, database } = await filled(rounds * ofRound)
  const place = { folder, settings: mails.settings }
  const sent: Sent[] = []
  const took: number[] = []
  let doomed = await start(place)
  for (let round = 0; round < rounds; round++) {
    const before = mails.received.length
    const successor = await start(place)
    const emails = await askForMails(successor, round)
    const inFlight = await killAmid(doomed, database, mails)
    took.push(await until(() => isEmpty(database), longestTakenUp))
    sent.push({ emails, received: mails.received.slice(before), inFlight })
    doomed = successor
  }
  await doomed.stop()
  const { missing, twice, flying, isBounded } = counted(sent)
  return {
    fault: `kill -9 of one of two processes while jobs run, ${rounds} times`,
    promise: 'no mail missing; twice at most as many as were in flight; taken up again within 60 s',
    measured:
      `${count(rounds * ofRound)} mails, ${missing} missing; ${twice} sent twice of ${flying} in flight; ` +
      `all of them done ${ms(most(took))} after the kill at most`,
    isKept: missing === 0 && isBounded && most(took) <= longestTakenUp,
  }
}

/** Requests a mail to each user of a round, and returns their emails once all requests are acknowledged. */
async function askForMails(server: Server, round: number): Promise<readonly string[]> {
  const emails = Array.from({ length: ofRound }, (_, n) => emailOf(1 + round * ofRound + n))
  const ask = async (email: string) => {
    const guest = new Visitor(server)
    mustBe(303, await guest.post('/forgot-password', { email }))
    guest.leave()
  }
  await Promise.all(emails.map(ask))
  return emails
}

/** Kills the server after some of the round's mails, and returns how many jobs it had claimed then. */
async function killAmid(server: Server, database: string, mails: MailServer): Promise<number> {
  const enough = mails.received.length + 1 + Math.floor(Math.random() * (ofRound / 2))
  await until(() => mails.received.length >= enough, longestTakenUp)
  // Paused first, so that its claims can be read before another process takes them over.
  server.signal('SIGSTOP')
  const claims = await claimants(database)
  await server.kill()
  const gone = claims.map((by) => presences.isGone({ file: database }, by))
  return (await Promise.all(gone)).filter(Boolean).length
}

/** Returns the claimant of each claimed job. */
async function claimants(database: string): Promise<string[]> {
  const db = await openDatabase({ file: database })
  const rows = await db.all<{ claimedBy: string }>`
    SELECT claimed_by FROM jobs WHERE claimed_by IS NOT NULL`
  await db.close()
  return rows.map(({ claimedBy }) => claimedBy)
}

async function isEmpty(database: string): Promise<boolean> {
  const db = await openDatabase({ file: database })
  const row = await db.first<{ jobs: number }>`SELECT count(*) AS jobs FROM jobs`
  await db.close()
  return row?.jobs === 0
}

interface Sent {
  readonly emails: readonly string[]
  readonly received: readonly string[]
  readonly inFlight: number
}

function counted(sent: readonly Sent[]) {
  const rounds = sent.map(({ emails, received, inFlight }) => {
    const missing = emails.filter((email) => !received.includes(email)).length
    const twice = received.length - new Set(received).size
    return { missing, twice, inFlight }
  })
  const sum = (key: 'missing' | 'twice' | 'inFlight') =>
    rounds.reduce((total, round) => total + round[key], 0)
  return {
    missing: sum('missing'),
    twice: sum('twice'),
    flying: sum('inFlight'),
    isBounded: rounds.every(({ twice, inFlight }) => twice <= inFlight),
  }
}
