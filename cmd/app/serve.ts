import { dirname } from 'node:path'
import { migrate } from '#db/migrations'
import { offerAddonFolder } from '../../internal/base/addons.ts'
import { environment } from '../../internal/base/config.ts'
import { makeLog } from '../../internal/base/log.ts'
import { type Mailer, withSender } from '../../internal/base/mail.ts'
import { logMailer } from '../../internal/base/mailer/log.ts'
import { smtpMailer } from '../../internal/base/mailer/smtp.ts'
import { openAssets } from '../../internal/base/open-assets.ts'
import { sealAgain } from '../../internal/domain/twofactor/seal-again.ts'
import { schedule, work } from '../../internal/domain/work.ts'
import { listen } from '../../internal/http/server.ts'
import { openApp } from '../../internal/open-app.ts'
import { startWorkers } from '../../internal/services/jobs/workers.ts'
import { lineWriter } from './line-writer.ts'
import { migrations } from './migrate.ts'
import { readSettings } from './read-settings.ts'
import { stopAsked } from './stop-asked.ts'
import { tellSystemd } from './systemd.ts'
import type { Config } from '../../internal/base/config.ts'

// Ten seconds from the signal to the exit (contract: Command line), of which closing the database takes the rest.
const longestStop = 9_000
// Milliseconds that an answer takes to arrive and the next request to come, which a proxy sends over the same connection.
const patience = 200

/**
 * Migrates, serves until it is told to stop, and lets what runs finish. Without a mail server mail goes to the
 * `mailbox`, which only the development runner has, or to the log.
 */
export async function serve({ mailbox }: { mailbox?: Mailer } = {}): Promise<number> {
  // Heard from the first moment: a stop that is asked for while it starts is one too.
  const asked = stopAsked()
  const { config, warnings, exposed } = await readSettings()
  const lines = lineWriter(process.stdout)
  const log = makeLog({ ...config.log, write: lines.write, now: () => new Date() })
  for (const warning of warnings) log.warn(warning)
  if (exposed.dotEnv) log.warn(exposed.dotEnv.message, { advice: exposed.dotEnv.advice })
  offerAddonFolder(dirname(config.databasePath))
  const assets = openAssets()
  const mailer = config.mail
    ? smtpMailer(config.mail)
    : withSender(mailbox ?? logMailer(log), config.sender)
  const app = await openApp(config, { mailer, log, assets })
  // While it is open: no restore can put an older database there in between.
  await migrate(config.databasePath, migrations(), new Date())
  // Beside the start: all but photos works without them.
  app.background('the check of where photos are kept', app.files.check())
  const server = await listen(app)
  const stopping = new AbortController()
  // Beside the requests, which are served with either key: there may be many.
  app.background('sealing again', sealAgain(app, stopping.signal))
  const atOnce = config.queueWorkers
  const workers = atOnce > 0 ? startWorkers(app, { work, schedule, atOnce }) : undefined
  const { version } = assets
  const mail = mailMode(config, mailbox)
  // Before that of the development runner stands the runner's own, which is the one to open.
  const address = mailbox ? undefined : addressOf(config, server)
  log.info('serving', { version, address, url: config.origin, database: config.databasePath, mail })
  tellSystemd(app, environment(), stopping.signal)
  const signal = await asked
  log.info('stopping', { signal })
  stopping.abort()
  const cut = setTimeout(server.cut, longestStop)
  const [isFinished = true] = await Promise.all([workers?.stop(longestStop), server.stop(patience)])
  clearTimeout(cut)
  await app.close()
  log.info('stopped')
  lines.flush()
  // A job that hangs would keep the process for as long as it does.
  if (!isFinished) process.exit(0)
  return 0
}

function addressOf({ host }: Config, { port }: { readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function mailMode({ mail }: Config, mailbox: Mailer | undefined): string {
  if (mail) return `smtp ${mail.host}:${mail.port}`
  return mailbox ? 'mailbox' : 'log'
}
