import { openDatabase } from '#db/driver'
import { presences } from '#db/presence'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { mustBe, Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, maximum, ms } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { type MailServer, startMailServer } from './tools/mail-server.ts'
import { type Server, start } from './tools/servers.ts'
import { until } from './tools/until.ts'

/** Mails per round, each to a different user, since a user is mailed only once a minute. */
const mailsPerRound = 40
// Milliseconds that the mail server takes per mail, so that some are always in flight.
const mailDelay = 25
const longestFirstMail = 1000
const longestTakeover = 60_000

/** kill -9 while mails are sent: followed by a restart, and with another process running. */
export async function jobs({ quick }: Extent): Promise<readonly Verdict[]> {
  return [await tryRestart(quick ? 4 : 20), await tryTakeover(quick ? 2 : 10)]
}

async function tryRestart(rounds: number): Promise<Verdict> {
  const mails = await startMailServer(mailDelay)
  const { folder, database } = await createFilledDatabase(rounds * mailsPerRound)
  const place = { folder, settings: mails.settings }
  const mailRounds: MailRound[] = []
  const firstMailDelays: number[] = []
  for (let round = 0; round < rounds; round++) {
    const killedServer = await start(place)
    const before = mails.received.length
    const emails = await askForMails(killedServer, round)
    const inFlight = await killWhileSending(killedServer, database, mails)
    const receivedBefore = mails.received.length
    const next = await start(place)
    firstMailDelays.push(await until(() => mails.received.length > receivedBefore, longestTakeover))
    await until(() => isEmpty(database), longestTakeover)
    await next.stop()
    mailRounds.push({ emails, received: mails.received.slice(before), inFlight })
  }
  const { missing, twice, totalInFlight, isBounded } = summarize(mailRounds)
  return {
    fault: `kill -9 while jobs run, ${rounds} times, and a start after it`,
    promise:
      'no mail missing; twice at most as many as were in flight; taken up at once (1 s) at the start',
    figures:
      `${count(rounds * mailsPerRound)} mails, ${missing} missing; ${twice} sent twice of ${totalInFlight} in flight; ` +
      `the first ${ms(maximum(firstMailDelays))} after the start at most`,
    isKept: missing === 0 && isBounded && maximum(firstMailDelays) <= longestFirstMail,
  }
}

async function tryTakeover(rounds: number): Promise<Verdict> {
  const mails = await startMailServer(mailDelay)
  const { folder, database } = await createFilledDatabase(rounds * mailsPerRound)
  const place = { folder, settings: mails.settings }
  const mailRounds: MailRound[] = []
  const takeoverTimes: number[] = []
  let killedServer = await start(place)
  for (let round = 0; round < rounds; round++) {
    const before = mails.received.length
    const successor = await start(place)
    const emails = await askForMails(successor, round)
    const inFlight = await killWhileSending(killedServer, database, mails)
    takeoverTimes.push(await until(() => isEmpty(database), longestTakeover))
    mailRounds.push({ emails, received: mails.received.slice(before), inFlight })
    killedServer = successor
  }
  await killedServer.stop()
  const { missing, twice, totalInFlight, isBounded } = summarize(mailRounds)
  return {
    fault: `kill -9 of one of two processes while jobs run, ${rounds} times`,
    promise: 'no mail missing; twice at most as many as were in flight; taken up again within 60 s',
    figures:
      `${count(rounds * mailsPerRound)} mails, ${missing} missing; ${twice} sent twice of ${totalInFlight} in flight; ` +
      `all of them done ${ms(maximum(takeoverTimes))} after the kill at most`,
    isKept: missing === 0 && isBounded && maximum(takeoverTimes) <= longestTakeover,
  }
}

/** Requests a mail to each user of a round, and returns their emails once all requests are acknowledged. */
async function askForMails(server: Server, round: number): Promise<readonly string[]> {
  const emails = Array.from({ length: mailsPerRound }, (_, n) =>
    emailOf(1 + round * mailsPerRound + n),
  )
  const ask = async (email: string) => {
    const guest = new Visitor(server)
    mustBe(303, await guest.post('/forgot-password', { email }))
    guest.leave()
  }
  await Promise.all(emails.map(ask))
  return emails
}

/** Kills the server after some of the round's mails, and returns how many jobs it had claimed then. */
async function killWhileSending(
  server: Server,
  database: string,
  mails: MailServer,
): Promise<number> {
  const mailsBeforeKill =
    mails.received.length + 1 + Math.floor(Math.random() * (mailsPerRound / 2))
  await until(() => mails.received.length >= mailsBeforeKill, longestTakeover)
  // Paused first, so that its claims can be read before another process takes them over.
  server.signal('SIGSTOP')
  const claims = await claimants(database)
  await server.kill()
  const isGone = claims.map((by) => presences.isGone({ file: database }, by))
  return (await Promise.all(isGone)).filter(Boolean).length
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

interface MailRound {
  readonly emails: readonly string[]
  readonly received: readonly string[]
  readonly inFlight: number
}

function summarize(mailRounds: readonly MailRound[]) {
  const rounds = mailRounds.map(({ emails, received, inFlight }) => {
    const missing = emails.filter((email) => !received.includes(email)).length
    const twice = received.length - new Set(received).size
    return { missing, twice, inFlight }
  })
  const sum = (key: 'missing' | 'twice' | 'inFlight') =>
    rounds.reduce((total, round) => total + round[key], 0)
  return {
    missing: sum('missing'),
    twice: sum('twice'),
    totalInFlight: sum('inFlight'),
    isBounded: rounds.every(({ twice, inFlight }) => twice <= inFlight),
  }
}
