import type { Assets } from './base/assets.ts'
import type { Bell } from './base/bell.ts'
import type { Config } from './base/config.ts'
import type { Keys } from './base/keys.ts'
import type { Log } from './base/log.ts'
import type { Mailer } from './base/mail.ts'
import type { Passwords } from './base/password.ts'
import type { Database } from './db/db.ts'

/** What every part of the service is handed: settings, database, keys, mailer, log and clock. */
export interface App {
  readonly config: Config
  readonly db: Database
  readonly keys: Keys
  readonly passwords: Passwords
  readonly mailer: Mailer
  /** Rung when a job was pushed. */
  readonly jobBell: Bell
  readonly log: Log
  readonly assets: Assets
  now(): Date
  /** Lets work go on after the answer it belongs to. A failure is logged under `what`; `close` waits for it. */
  background(what: string, work: Promise<unknown>): void
}
