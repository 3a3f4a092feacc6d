import { openDatabase } from '#db/driver'
import { makeSignal } from './base/signal.ts'
import { openFiles } from './base/files/open-files.ts'
import { randomId } from './base/crypto/random.ts'
import { makeKeys } from './base/crypto/keys.ts'
import { makePasswords } from './base/password/password.ts'
import { makeUploads } from './base/uploads.ts'
import { openEvents } from './services/events.ts'
import type { App } from './app.ts'
import { KeptDocuments } from './base/documents/kept-documents.ts'
import type { Assets } from './base/program/assets.ts'
import type { Argon2id } from './base/password/phc.ts'
import type { Config } from './base/settings/config.ts'
import type { Log } from './base/log.ts'
import type { Mailer } from './base/mail.ts'

export interface OpenApp extends App {
  /** Ends event listeners, waits for background work unless `late` comes first, then closes the database. */
  close(late?: Promise<void>): Promise<void>
}

interface Parts {
  readonly mailer: Mailer
  readonly log: Log
  readonly assets: Assets
  readonly frontend?: App['frontend']
  readonly now?: () => Date
  readonly hashing?: Argon2id
}

/**
 * Opens the database and assembles the app. Tests may replace the clock `now` (default: the database's), the
 * cost of `hashing` passwords, and the `frontend` that renders pages.
 */
export async function openApp(
  config: Config,
  { mailer, log, assets, frontend, now: moved, hashing }: Parts,
): Promise<OpenApp> {
  // First, since it may throw: a database left open would keep the process from exiting.
  const passwords = await makePasswords({ log, ours: hashing })
  const db = await openDatabase(config.database, {
    unguarded: (error) =>
      log.warn('the database is not used until a restore can be kept out of it', { error }),
    mended: (error) =>
      log.warn('files of the database were taken away, and are written anew', { error }),
  })
  const now = moved ?? (() => db.now())
  const events = openEvents({ config, db, log })
  const running = new Set<Promise<void>>()
  return {
    id: randomId(),
    config,
    db,
    keys: makeKeys(config.keys),
    passwords,
    mailer,
    jobSignal: makeSignal(),
    uploads: makeUploads(),
    // A bucket refuses a clock that is wrong: its advice, and doctor, speak of this machine's.
    files: await openFiles(config.files, moved ?? (() => new Date())),
    events,
    log,
    assets,
    frontend,
    documents: new KeptDocuments(),
    now,
    background(task, work, facts) {
      const run = work.then(
        () => undefined,
        (error: unknown) => log.error(`${task} failed`, { error, ...facts }),
      )
      running.add(run)
      void run.then(() => running.delete(run))
    },
    async close(late) {
      events.close()
      await Promise.race([Promise.all(running), ...(late ? [late] : [])])
      await db.close()
    },
  }
}
