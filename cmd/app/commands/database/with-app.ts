import { openAssets } from '../../../../internal/base/program/open-assets.ts'
import { makeLog } from '../../../../internal/base/log.ts'
import { openApp } from '../../../../internal/open-app.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { requireDatabase, refuseUnmigrated } from './with-database.ts'
import type { App } from '../../../../internal/app.ts'
import type { Mailer } from '../../../../internal/base/mail.ts'

/**
 * Opens the app in this process, whether or not a server is running, runs `work`, and closes it. Jobs pushed by it run
 * on a server: within a second if one is running, else when one starts. Throws if there is no database.
 */
export async function withApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  const { config } = await readSettings()
  await requireDatabase(config.database)
  const log = makeLog({ level: 'warn', format: 'text', write, now: () => new Date() })
  const app = await openApp(config, { mailer: noMailer, log, assets: openAssets() })
  try {
    await refuseUnmigrated(config.database, app.db)
    return await work(app)
  } finally {
    await app.close()
  }
}

/** Writes to standard error, since a program may parse what the command prints to standard output. */
function write(line: string): void {
  process.stderr.write(line)
}

const noMailer: Mailer = {
  send: () => Promise.reject(new Error('A mail of a command is sent by a job of the server.')),
}
