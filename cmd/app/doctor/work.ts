import { health } from '#db/health'
import { jobs } from '#db/jobs'
import { appName } from '../../../web/contract/name.ts'
import { MailNotSent } from '../../../internal/base/mailer/send-fault.ts'
import { hostPort } from '../../../internal/base/network/host-port.ts'
import { wholeSentence } from '../../../internal/base/text/whole-sentence.ts'
import { checkSmtpLogin } from '../../../internal/base/mailer/smtp.ts'
import { advice } from '../commands/mail-test.ts'
import { counted } from '../../../internal/base/text/printed-sizes.ts'
import { shorten } from '../commands/output/table.ts'
import { work } from '../../../internal/domain/work.ts'
import { fail, ok, warn, type Finding } from '../../../internal/base/finding.ts'
import type { Config } from '../../../internal/base/settings/config.ts'
import { type Migration, writtenAt } from '../../../internal/db/migrate.ts'
import type { Db } from '../../../internal/db/db.ts'
import type { RetriedJobs } from '../../../internal/db/health.ts'

const minute = 60_000

/** Checks that the clock is later than the newest time in the database and that of the newest migration. */
export async function clockFindings(
  { now, migrations }: { now: Date; migrations: readonly Migration[] },
  db: Db | undefined,
): Promise<Finding[]> {
  const last = db && (await health.lastWritten(db))
  const lastTime = last?.getTime() ?? 0
  const migrationTime = newestMigrationTime(migrations)
  const newestTime = Math.max(lastTime, migrationTime)
  const source = lastTime < migrationTime ? 'the newest migration' : 'the database'
  if (newestTime > now.getTime() + 5 * minute)
    return [
      fail(
        'clock',
        `It says ${now.toISOString()}, but ${source} has a time of ${new Date(newestTime).toISOString()}: codes, links and logins last too long or fail.`,
        'Set the clock, and let a time server keep it right. If it is right now, it was wrong when that time was stored, and this warning stays until then.',
      ),
    ]
  // Without a database only the migrations of this version were looked at.
  const earlier = db ? 'every time in the database' : 'the newest migration of this version'
  return [ok('clock', `It says ${now.toISOString()}, later than ${earlier}.`)]
}

/** When the newest migration was written: no program with it can run earlier. */
function newestMigrationTime(migrations: readonly Migration[]): number {
  const times = migrations.map((migration) => writtenAt(migration).getTime())
  return Math.max(0, ...times.filter((time) => !Number.isNaN(time)))
}

/** Checks whether the mail server accepts the login. Sends no mail. */
export async function mailFindings({ mail }: Config): Promise<Finding[]> {
  if (!mail) return []
  const address = hostPort(mail.host, mail.port)
  try {
    const { isOffered } = await checkSmtpLogin(mail)
    if (mail.username !== undefined && !isOffered)
      return [
        warn(
          'mail',
          `${address} offers no login: mails are handed over without that of MAIL_USERNAME.`,
          'If mails arrive, leave MAIL_USERNAME and MAIL_PASSWORD out; if not, look at MAIL_PORT: many servers offer it on 587 or 465 only.',
        ),
      ]
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error
    return [fail('mail', wholeSentence(error.message), advice[error.fault])]
  }
  const subject = mail.username === undefined ? 'us without a login' : 'the login'
  return [ok('mail', `${address} takes ${subject}. \`${appName} mail test\` sends a mail.`)]
}

/** Checks whether jobs have failed for good, wait too long, or keep failing. */
export async function jobFindings(now: Date, db: Db): Promise<Finding[]> {
  const { failed, overdue, retried } = await health.jobs(db, new Date(now.getTime() - 10 * minute))
  const findings: Finding[] = []
  if (failed)
    findings.push(
      fail(
        'jobs',
        `${counted(failed.count, 'job')} failed for good, the last one ${failed.name}.`,
        `\`${appName} jobs\` tells why; mend that, and \`${appName} jobs retry all\` runs ${failed.count === 1 ? 'it' : 'them'} again.`,
      ),
    )
  if (overdue > 0)
    findings.push(
      warn(
        'jobs',
        `${counted(overdue, 'job')} could have run ten minutes ago, and nobody takes ${overdue === 1 ? 'it' : 'them'} up.`,
        await overdueAdvice(db),
      ),
    )
  if (retried) findings.push(...retriedFindings(retried))
  return findings.length > 0
    ? findings
    : [ok('jobs', 'None has failed for good, and none waits long.')]
}

/** Returns how overdue jobs come to run. After a rollback some may be of kinds that only a later version knows. */
async function overdueAdvice(db: Db): Promise<string> {
  const unknown = (await jobs.waitingNames(db)).filter((name) => !Object.hasOwn(work, name))
  const usual =
    'Start a server whose QUEUE_WORKERS is not 0, or look in its log for what keeps it busy.'
  if (unknown.length === 0) return usual
  const names = shorten(unknown.join(', '), 300)
  return `This version does not know jobs called ${names}: the version that pushed them, or a later one, runs them. If others wait too: ${usual}`
}

// The third run is 40 seconds after the first: a mail server that was merely restarted is back by then. If five jobs
// fail at once, the cause is not a single mailbox or file.
const manyTries = 3
const manyRetried = 5

/** Reports jobs that failed and will be retried, unless the cause looks transient. */
function retriedFindings({ count, mostTries, name, error }: RetriedJobs): Finding[] {
  if (mostTries < manyTries && count < manyRetried) return []
  const subject = `${counted(count, 'job')} failed at ${count === 1 ? 'its' : 'their'} last run`
  const reason = wholeSentence(shorten(error, 300))
  return [
    warn(
      'jobs',
      `${subject} and will run again, the newest one ${name}: ${reason}`,
      `Mend what that tells of; \`${appName} mail test <address>\` shows what the mail server says. What fails for good stands in \`${appName} jobs\`.`,
    ),
  ]
}
