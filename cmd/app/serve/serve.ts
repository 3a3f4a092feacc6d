import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { addresses } from '#db/address'
import { health } from '#db/health'
import { migrate } from '#db/migrations'
import { users } from '#db/users'
import { sweepAddons } from '../../../internal/base/program/addons.ts'
import { environment } from '../../../internal/base/settings/config.ts'
import { hostPort } from '../../../internal/base/network/host-port.ts'
import { type Log, makeLog } from '../../../internal/base/log.ts'
import { type Mailer, withSender } from '../../../internal/base/mail.ts'
import { logMailer } from '../../../internal/base/mailer/log.ts'
import { smtpMailer } from '../../../internal/base/mailer/smtp.ts'
import { openAssets } from '../../../internal/base/program/open-assets.ts'
import { compareMigrations } from '../../../internal/db/migrate.ts'
import { renewEmailKeys } from '../../../internal/domain/accounts/renew-email-keys.ts'
import { endLoginsOnceBack } from '../../../internal/domain/logins/move-back.ts'
import { sealAgain } from '../../../internal/domain/two-factor/seal-again.ts'
import { schedule, work } from '../../../internal/domain/work.ts'
import { listen, type Listening, reservePort } from '../../../internal/http/node/server.ts'
import { openApp, type OpenApp } from '../../../internal/open-app.ts'
import { startWorkers } from '../../../internal/services/jobs/workers.ts'
import { lineWriter } from './line-writer.ts'
import { logOutput } from './log-output.ts'
import { migrations } from '../commands/database/migrate.ts'
import { readSettings } from '../settings/read-settings.ts'
import { endInTime, type RunningServer, shutDown, stopUnopened } from '../stop/shut-down.ts'
import { firstStopSignal } from '../stop/stop-signal.ts'
import { notifySystemd } from './systemd.ts'
import {
  unknownMigrationsWarning,
  suitableVersion,
} from '../commands/database/unknown-migrations.ts'
import type { Config } from '../../../internal/base/settings/config.ts'

/**
 * Migrates, serves until it is stopped, and lets running work finish. Without a mail server, mail goes to the
 * `mailbox`, which only the development runner has, or to the log.
 */
export async function serve({ mailbox }: { mailbox?: Mailer } = {}): Promise<number> {
  const stopSignal = firstStopSignal()
  // A signal that arrived while modules were loaded is delivered within a turn of the event loop. Nothing runs yet.
  if (await Promise.race([stopSignal, nextTurn()])) return 0
  const { config, warnings, exposed } = await readSettings()
  const { stream, lossReason } = logOutput()
  const lines = lineWriter(stream, (lost) =>
    log.warn(`lines of the log were lost: ${lossReason()}`, { lines: lost }),
  )
  const logOptions = { ...config.log, write: lines.write, now: () => new Date() }
  const log = makeLog(logOptions)
  void endInTime(stopSignal, { log, lines })
  for (const { message, advice } of warnings) log.warn(message, { advice })
  if (exposed.dotEnv) log.warn(exposed.dotEnv.message, { advice: exposed.dotEnv.advice })
  // Regardless of LOG_LEVEL: a mail that is written nowhere is lost.
  const mailLog = makeLog({ ...logOptions, level: 'info' })
  const mailer = config.mail
    ? smtpMailer(config.mail)
    : withSender(mailbox ?? logMailer(mailLog), config.sender)
  const stopping = new AbortController()
  const opened = await openUnlessStopped(config, { mailer, log }, stopSignal)
  // Stopped while waiting for a database that another process holds: nothing has begun.
  if (!opened) return stopUnopened({ signal: await stopSignal, log, lines })
  const running = await start(opened, stopping.signal)
  const { app, server } = running
  const { version } = app.assets
  const mail = mailMode(config, mailbox)
  // Under the development runner people open the address of the runner's proxy rather than this server's.
  const address = mailbox ? undefined : addressOf(config, server)
  const database = addresses.nameOf(config.database)
  log.info('serving', { version, address, url: config.origin, database, mail })
  notifySystemd(app, environment(), stopping.signal)
  const signal = await stopSignal
  log.info('stopping', { signal })
  stopping.abort()
  return shutDown({ ...running, lines })
}

/** Opens the app; undefined if the program is stopped before the database is open. */
async function openUnlessStopped(
  config: Config,
  { mailer, log }: { mailer: Mailer; log: Log },
  stopSignal: Promise<unknown>,
): Promise<OpenApp | undefined> {
  const opened = openApp(config, { mailer, log, assets: openAssets() })
  return Promise.race([opened, stopSignal.then(() => undefined)])
}

/** Brings the database up to date, then answers requests and runs jobs. */
async function start(app: OpenApp, stopping: AbortSignal): Promise<Omit<RunningServer, 'lines'>> {
  const { config } = app
  const server = await startListening(app)
  // In the background: everything but photos works without it, and a hanging disk must delay neither start nor stop.
  const check = Promise.race([app.files.check(), once(stopping, 'abort')])
  app.background('the check of where photos are kept', check)
  // In the background, since there may be many: requests work with either key.
  app.background('sealing again', sealAgain(app, stopping))
  app.background('the keys of emails', renewEmailKeys(app, stopping))
  app.background('the sweep of add-ons', sweepAddons(new Date()))
  app.background('the look at what a later version ran', warnOfLater(app))
  const atOnce = config.queueWorkers
  const workers = atOnce > 0 ? startWorkers(app, { work, schedule, atOnce }) : undefined
  return { app, server, workers }
}

/** Warns of migrations by a newer version, which are left as they are (spec: Versioning). */
async function warnOfLater({ db, log }: OpenApp): Promise<void> {
  const { unknown } = compareMigrations(migrations(), await health.ranMigrations(db))
  const warning = unknownMigrationsWarning(unknown)
  if (warning !== undefined) log.warn(warning, { advice: `Run ${suitableVersion}.` })
}

/**
 * Migrates and listens. If that fails, the app is closed: an open connection to a database server would keep the
 * program from ending.
 */
async function startListening(app: OpenApp): Promise<Listening> {
  try {
    // First: if another program has the port, such as the previous version, the database must not be changed.
    const reserved = reservePort(app.config)
    // Migrates while the app has the database open, so that no restore can replace it with an older one in between.
    const advise = (advice: string) =>
      app.log.warn('the migrations have been waiting for a while for another process', { advice })
    await migrate(app.config.database, migrations(), new Date(), { advise })
    await refuseReadOnly(app)
    await endLoginsOnceBack(app)
    return await listen(app, undefined, { reserved })
  } catch (error) {
    await app.close()
    throw error
  }
}

/**
 * Attempts a write that affects no row, since no user has this ID: it throws if the user of the database server may
 * only read. A read-only file was refused when it was opened, and a write to it would wait here for other writers.
 */
async function refuseReadOnly({ db }: OpenApp): Promise<void> {
  if (addresses.setting !== 'DB_URL') return
  await db.transaction((tx) => users.setPhoto(tx, { id: 0, photo: null }))
}

function addressOf({ host }: Config, { port }: { readonly port: number }): string {
  return `http://${hostPort(host, port)}`
}

function mailMode({ mail }: Config, mailbox: Mailer | undefined): string {
  if (mail) return `smtp ${mail.host}:${mail.port}`
  return mailbox ? 'mailbox' : 'log'
}
