import { brandName } from '../../../web/brand/brand.ts'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jobs } from '#db/jobs'
import { users } from '#db/users'
import type { Database } from '../../../internal/db/db.ts'
import { noon, settingOf, temporaryDatabase } from '../../../internal/testing/database/database.ts'
import {
  requiredSettings,
  run,
  serve,
  type Served,
  stopDuration,
} from '../../../internal/testing/processes/executable.ts'
import { disk, memory } from '../../../internal/testing/processes/folders.ts'
import { addJobs, allJobs } from '../../../internal/testing/database/rows.ts'
import { startSmtp, type Smtp } from '../../../internal/testing/network/smtp.ts'

const certificate = join(import.meta.dirname, '../../../testdata/smtp/certificate.pem')

/** Creates a database with this many accounts, settings for a server on it, and a function that mails each account. */
async function mailSetup({ port }: Pick<Smtp, 'port'>, accounts = 1, parent = memory) {
  const { db, address } = await temporaryDatabase({}, parent)
  const emails = Array.from({ length: accounts }, (_, i) => `${i}@x.test`)
  const user = { name: 'Ann', passwordHash: 'a hash', at: noon }
  // In one transaction: on a busy machine so many would wait too long for their turns.
  await db.transaction(async (tx) => {
    for (const email of emails) await users.insert(tx, { ...user, email, emailKey: email })
  })
  const mail = { MAIL_HOST: '127.0.0.1', MAIL_PORT: String(port), MAIL_FROM_ADDRESS: 'app@x.test' }
  const settings: Record<string, string> = {
    ...(await requiredSettings()),
    ...settingOf(address),
    ...mail,
  }
  return { db, emails, settings, askForMail: () => addJobs(db, 'ResetMail', emails) }
}

/** A mail server that refuses every mail until `mend`. `refusedAt`: when it last refused one. */
function refusingBehaviour(code: number, quotes?: RegExp) {
  let acceptsMail = false
  let refusedAt = 0
  const behaviour = {
    get refuses() {
      if (acceptsMail) return undefined
      refusedAt = Date.now()
      return { at: 'content', code, ...(quotes && { quotes }) } as const
    },
  }
  return { behaviour, refusedAt: () => refusedAt, mend: () => void (acceptsMail = true) }
}

const untriedJob = { tries: 0, claimedBy: null, error: null }

const farFuture = new Date('9999-01-01T00:00:00Z')

/** Makes the waiting job due now, without counting a run. */
async function makeDue(db: Database): Promise<void> {
  await jobs.claim(db, { name: 'ResetMail', by: 'the test', now: farFuture, beyond: farFuture })
  await jobs.releaseOfStopping(db, 'the test')
}

/** Counts runs of the job, as if each had failed. */
async function failTimes(db: Database, times: number): Promise<void> {
  const claimant = 'the test'
  for (let i = 0; i < times; i++) {
    const job = await jobs.claim(db, {
      name: 'ResetMail',
      by: claimant,
      now: farFuture,
      beyond: farFuture,
    })
    await jobs.runAgain(db, {
      id: job?.id ?? 0,
      by: claimant,
      tries: job?.tries ?? 0,
      at: noon,
      error: 'no',
    })
  }
}

const mailJobs = async (db: Database) =>
  (await allJobs(db)).filter(({ name }) => name === 'ResetMail')

const recipients = ({ received }: Smtp) => received.flatMap(({ to }) => to)

const logLine = ({ lines }: Served, message: string) =>
  lines.find((line) => line.message === message)

test('killing a server while it sends 200 mails loses none and repeats at most those in flight', async () => {
  const sink = await startSmtp()
  const { db, emails, settings: baseSettings, askForMail } = await mailSetup(sink, 200, disk)
  const settings = { ...baseSettings, QUEUE_WORKERS: '16' }
  await askForMail()
  let inFlight = 0
  for (let round = 0; round < 3; round++) {
    const app = await serve({ settings })
    const mailsBeforeKill = sink.received.length + randomInt(1, 50)
    await expect.poll(() => sink.received.length, { interval: 2 }).toBeGreaterThan(mailsBeforeKill)
    app.signal('SIGKILL')
    await app.exit
    inFlight += (await mailJobs(db)).filter(({ claimedBy }) => claimedBy !== null).length
  }
  await serve({ settings })
  await expect.poll(() => mailJobs(db)).toEqual([])
  expect(new Set(recipients(sink))).toEqual(new Set(emails))
  expect(sink.received.length - emails.length).toBeLessThanOrEqual(inFlight)
})

test('without a mail server a mail is logged at any LOG_LEVEL with sender, recipient, subject and link', async () => {
  const { settings, askForMail } = await mailSetup({ port: 0 })
  const { MAIL_HOST: _host, MAIL_PORT: _port, ...withoutServer } = settings
  await askForMail()
  const changes = { MAIL_FROM_NAME: 'The App', LOG_LEVEL: 'error' }
  const app = await serve({ settings: { ...withoutServer, ...changes }, firstMessage: 'mail' })
  await expect
    .poll(() => app.lines.some(({ message }) => message.includes('/reset-password/')))
    .toBe(true)
  expect(app.lines.some(({ message }) => message === `mail | ${brandName}`)).toBe(true)
  expect(logLine(app, 'mail')).toMatchObject({
    from: 'The App <app@x.test>',
    to: ['0@x.test'],
    subject: `Reset your password for ${brandName}`,
  })
})

test('a server stopped while mails hang exits with code 0 and counts no try for those mails', async () => {
  const sink = await startSmtp({ hangs: 'content' })
  const { db, settings, askForMail } = await mailSetup(sink, 3)
  await askForMail()
  const app = await serve({ settings })
  await expect.poll(() => sink.connections).toBe(2)
  const login = await fetch(`${app.origin}/login`)
  const { code } = await app.stop(15_000)
  expect([login.status, code]).toEqual([200, 0])
  expect(stopDuration(app)).toBeLessThan(11_000)
  expect(await mailJobs(db)).toMatchObject([untriedJob, untriedJob, untriedJob])
})

test('a mail refused with a temporary error is scheduled again ten seconds later and then sent', async () => {
  const { behaviour, refusedAt, mend } = refusingBehaviour(451)
  const sink = await startSmtp(behaviour)
  const { db, emails, settings, askForMail } = await mailSetup(sink)
  await askForMail()
  const app = await serve({ settings })
  await expect.poll(() => logLine(app, 'job failed')).toMatchObject({ tries: 1, level: 'warn' })
  const line = logLine(app, 'job failed')
  const [waiting] = await mailJobs(db)
  mend()
  await makeDue(db)
  await expect.poll(() => mailJobs(db)).toEqual([])
  const again = Date.parse(String(line?.again)) - 10_000
  // It failed between the refusal and the writing of the line, which takes as long as the disk does.
  expect(again).toBeGreaterThanOrEqual(refusedAt())
  expect(again).toBeLessThanOrEqual(Date.parse(String(line?.time)))
  expect(waiting?.error).toContain('451 not at this content')
  expect(recipients(sink)).toEqual([...emails, ...emails])
})

test('jobs shows the answer of the mail server for a mail that failed for good', async () => {
  const { behaviour } = refusingBehaviour(550)
  const sink = await startSmtp(behaviour)
  const { db, settings, askForMail } = await mailSetup(sink)
  await askForMail()
  await failTimes(db, 9)
  const app = await serve({ settings })
  await expect.poll(() => logLine(app, 'job failed for good')).toMatchObject({ tries: 10 })
  const { stdout } = await run(['jobs'], { settings })
  expect(stdout).toMatch(
    /ResetMail +10 .*127\.0\.0\.1:\d+ did not take the mail: .*550 not at this content/,
  )
})

test('the token of a link that the mail server quotes is masked in the log and in jobs', async () => {
  const { behaviour } = refusingBehaviour(554, /http\S*\/reset-password\/\S+/)
  const sink = await startSmtp(behaviour)
  const { db, settings, askForMail } = await mailSetup(sink)
  await askForMail()
  await failTimes(db, 9)
  const app = await serve({ settings })
  await expect.poll(() => logLine(app, 'job failed for good')).toBeDefined()
  const { stdout } = await run(['jobs'], { settings })
  const mail = String(sink.received[0]?.content).replaceAll('=\r\n', '')
  const [, token = ''] = /\/reset-password\/([\w.-]+)/.exec(mail) ?? []
  expect(token).toMatch(/^\w+\.[\w-]{22}$/)
  expect(stdout).toContain('554 not with http')
  expect(stdout).toContain('/reset-password/[token]')
  expect(JSON.stringify(app.lines) + stdout).not.toContain(token)
})

test('jobs retry all makes the running server send a mail that had failed for good within ten seconds', async () => {
  const { behaviour, mend } = refusingBehaviour(550)
  const sink = await startSmtp(behaviour)
  const { db, emails, settings, askForMail } = await mailSetup(sink)
  await askForMail()
  await failTimes(db, 9)
  const app = await serve({ settings })
  await expect.poll(() => logLine(app, 'job failed for good')).toBeDefined()
  mend()
  const { stdout } = await run(['jobs', 'retry', 'all'], { settings })
  await expect.poll(() => recipients(sink), { timeout: 10_000 }).toEqual([...emails, ...emails])
  await expect.poll(() => mailJobs(db)).toEqual([])
  expect(stdout).toBe('1 job runs again.\n')
})

test('a self-signed certificate of a mail server is trusted only if NODE_EXTRA_CA_CERTS names its file', async () => {
  const sink = await startSmtp({ tls: 'offered' })
  const { db, settings, askForMail } = await mailSetup(sink)
  const byName = { ...settings, MAIL_HOST: 'localhost' }
  await askForMail()
  const distrustingServer = await serve({ settings: byName })
  await expect.poll(() => logLine(distrustingServer, 'job failed')).toBeDefined()
  await distrustingServer.stop()
  const [waiting] = await mailJobs(db)
  await makeDue(db)
  await serve({ settings: { ...byName, NODE_EXTRA_CA_CERTS: certificate } })
  await expect.poll(() => mailJobs(db)).toEqual([])
  expect(waiting?.error).toMatch(
    /: self-signed certificate \(.*NODE_EXTRA_CA_CERTS names its file\)$/,
  )
  expect(sink.received).toMatchObject([{ isEncrypted: true }])
})
