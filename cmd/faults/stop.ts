import { emailOf, password } from '../../internal/testing/database/fill-database.ts'
import { openDatabase } from '#db/driver'
import { mustBe, nextAddress, Visitor } from './tools/client.ts'
import { type Connection, openConnection, openStream } from './tools/connection.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { maximum, ms } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { type MailServer, startMailServer } from './tools/mail-server.ts'
import { type Server, start } from './tools/servers.ts'
import { until } from './tools/until.ts'

const users = 50
const streamsOfUser = 10
const longestStop = 12_000
// Milliseconds per mail: for one that can finish, and for one that hangs.
const slowMail = 3000
const hangingMail = 60_000

/** SIGTERM amid work of every kind, with slow mails and with mails that hang. */
export async function stop({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 1 : 5
  return [await tryStop(rounds, slowMail), await tryStop(rounds, hangingMail)]
}

async function tryStop(rounds: number, mailDelay: number): Promise<Verdict> {
  const hangs = mailDelay > longestStop
  const observations: Observation[] = []
  for (let round = 0; round < rounds; round++) observations.push(await stopOnce(mailDelay))
  const sum = (of: (observations: Observation) => number) =>
    observations.reduce((total, each) => total + of(each), 0)
  const jobs = sum(({ finished }) => finished)
  const slowest = maximum(observations.map(({ duration }) => duration))
  const exitCodes = observations.map(({ code }) => code)
  const streams = sum(({ streams }) => streams)
  const answered = sum(({ answered }) => answered)
  const cut = sum(({ cut }) => cut)
  const kept = sum(({ kept }) => kept)
  return {
    fault: `SIGTERM with 500 streams, 50 requests and 2 mails that ${hangs ? 'hang' : 'take 3 s'}, ${rounds} times`,
    promise: 'exit 0 within 12 s, no request in flight cut, no job lost',
    figures:
      `exit ${[...new Set(exitCodes)].join(', ')} after ${ms(slowest)} at most; ${answered} of ${50 * rounds} requests ` +
      `answered, ${cut} of those that asked on and on cut; ${streams} of ${500 * rounds} streams ended whole, ${jobs} mails finished, ${kept} kept for the next start`,
    isKept:
      exitCodes.every((code) => code === 0) &&
      slowest <= longestStop &&
      answered === 50 * rounds &&
      cut === 0 &&
      streams === 500 * rounds &&
      (hangs ? kept : jobs) === 2 * rounds,
  }
}

interface Observation {
  readonly code: number | null
  readonly duration: number
  readonly answered: number
  /** Unanswered requests of the visitors that keep asking. */
  readonly cut: number
  readonly streams: number
  /** Finished mails, and jobs left for the next start. */
  readonly finished: number
  readonly kept: number
}

async function stopOnce(mailDelay: number): Promise<Observation> {
  const mails = await startMailServer(mailDelay)
  const { folder, database } = await createFilledDatabase(users)
  const server = await start({ folder, settings: mails.settings })
  const streams = await openStreams(server)
  await startMails(server, mails)
  const forms = await Promise.all(Array.from({ length: 25 }, () => startForm(server)))
  const regularVisitors = Array.from({ length: 16 }, () => new Visitor(server))
  await Promise.all(regularVisitors.map((visitor) => visitor.get('/login')))
  const logins = Array.from({ length: 25 }, (_, n) => logIn(server, 1 + n))
  // Once the first login is done, the others are being hashed.
  await Promise.race(logins)
  const regularResults = regularVisitors.map(requestUntilGone)
  const began = performance.now()
  const stopping = server.stop()
  await server.untilLogged('stopping')
  const answers = forms.map(endForm)
  const { code } = await stopping
  const duration = performance.now() - began
  const statuses = await Promise.all([...answers, ...logins])
  const areCut = await Promise.all(regularResults)
  const jobsLeft = await countJobs(database)
  return {
    code,
    duration,
    answered: statuses.filter((status) => status === 303).length,
    cut: areCut.filter((isCut) => isCut).length,
    streams: streams.filter(({ text }) => text().endsWith('0\r\n\r\n')).length,
    finished: mails.received.length - jobsLeft,
    kept: jobsLeft,
  }
}

async function openStreams(server: Server): Promise<Connection[]> {
  const streams: Connection[] = []
  for (let user = 1; user <= users; user++) {
    const visitor = new Visitor(server)
    await visitor.logIn(emailOf(user))
    const { cookie } = visitor
    visitor.leave()
    const userStreams = Array.from({ length: streamsOfUser }, () => openStream(server.port, cookie))
    streams.push(...(await Promise.all(userStreams)))
  }
  return streams
}

/** Starts two mails that the mail server has received and not yet answered. */
async function startMails(server: Server, mails: MailServer): Promise<void> {
  for (const user of [1, 2])
    mustBe(303, await new Visitor(server).post('/forgot-password', { email: emailOf(user) }))
  const waited = await until(() => mails.received.length === 2, longestStop)
  if (waited === Infinity) throw new Error('The two mails were not sent.')
}

const body = 'email=nobody@example.com'

/** Starts a form whose last bytes are still to come. */
async function startForm({ port }: Server): Promise<Connection> {
  const form = await openConnection(port)
  const head = [
    'POST /forgot-password HTTP/1.1',
    'Host: localhost',
    `X-Forwarded-For: ${nextAddress()}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    // Its interim answer shows that the server is working on it.
    'Expect: 100-continue',
    '',
    '',
  ]
  const interimAnswer = form.next()
  form.socket.write(head.join('\r\n'))
  const answer = await interimAnswer
  if (!answer.startsWith('HTTP/1.1 100')) throw new Error(`A form was answered: ${answer}`)
  form.socket.write(body.slice(0, -3))
  return form
}

/** Returns the answer's status; 0 if it was cut off. */
async function endForm(form: Connection): Promise<number> {
  const answer = form.next()
  form.socket.write(body.slice(-3))
  return statusOf(await answer)
}

/** Logs in, which checks a hash, and returns the answer's status; 0 if it was cut off. */
async function logIn(server: Server, user: number): Promise<number> {
  const visitor = new Visitor(server)
  try {
    const { status } = await visitor.post('/login', { email: emailOf(user), password })
    return status
  } catch {
    return 0
  } finally {
    visitor.leave()
  }
}

/** Keeps requesting over one connection until the server is gone, and returns whether a request was cut off. */
async function requestUntilGone(visitor: Visitor): Promise<boolean> {
  try {
    for (;;) await visitor.get('/login')
  } catch (error) {
    // A refused connection is not a request cut off: a proxy would send it to another server.
    return !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
  } finally {
    visitor.leave()
  }
}

function statusOf(line: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? 0)
}

async function countJobs(database: string): Promise<number> {
  const db = await openDatabase({ file: database })
  const row = await db.first<{ jobs: number }>`
    SELECT count(*) AS jobs FROM jobs WHERE name = 'ResetMail' AND claimed_by IS NULL
      AND payload NOT LIKE '%nobody%'`
  await db.close()
  return row?.jobs ?? 0
}
