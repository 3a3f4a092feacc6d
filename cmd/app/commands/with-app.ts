import { openAssets } from '../../../internal/base/program/open-assets.ts'
import { makeLog } from '../../../internal/base/log.ts'
import { openApp } from '../../../internal/open-app.ts'
import { readSettings } from '../read-settings.ts'
import { readyDatabase, refuseUnmigrated } from './on-database.ts'
import type { App } from '../../../internal/app.ts'
import type { Mailer } from '../../../internal/base/mail.ts'

/**
 * Opens the app in this process, beside a running server or without one, works on it, and closes it. Jobs that are
 * pushed are run by a server: a running one within a second, else the next one that starts. Throws when there is no
 * database.
 */
export async function withApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  const { config } = await readSettings()
  await readyDatabase(config.database)
  const log = makeLog({ level: 'warn', format: 'text', write, now: () => new Date() })
  const app = await openApp(config, { mailer: noMailer, log, assets: openAssets() })
  try {
    await refuseUnmigrated(config.database, app.db)
    return await work(app)
  } finally {
    await app.close()
  }
}

/** To standard error, since a program may read what the command prints to standard output. */
function write(line: string): void {
  process.stderr.write(line)
}

const noMailer: Mailer = {
  send: () => Promise.reject(new Error('A mail of a command is sent by a job of the server.')),
}
