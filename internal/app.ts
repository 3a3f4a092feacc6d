import type { KeptDocuments } from './base/documents/kept-documents.ts'
import type { Assets } from './base/program/assets.ts'
import type { Signal } from './base/signal.ts'
import type { Config } from './base/settings/config.ts'
import type { Files } from './base/files/files.ts'
import type { Keys } from './base/crypto/keys.ts'
import type { Facts, Log } from './base/log.ts'
import type { Mailer } from './base/mail.ts'
import type { Passwords } from './base/password/password.ts'
import type { Uploads } from './base/uploads.ts'
import type { Database } from './db/db.ts'
import type { Frontend } from '../web/contract/frontend.ts'
import type { EventName } from '../web/contract/event-names.ts'

/** Somebody who waits for the events of a channel. */
export interface Listener {
  hear(event: EventName): void
  /** There will be no more: the service stops. */
  end(): void
}

/** Events of a channel, of whichever process on this database published them (spec: Broadcast events). */
export interface Events {
  /**
   * Tells the listener of all events that are committed from a time on, in order and each once, until the listener
   * leaves. Resolves once it is known where to begin. An event that is a minute old may not be told any more.
   */
  listen(channel: string, listener: Listener, from?: Date): Promise<void>
  /** Takes effect at once, also for a listener that still waits to be told where to begin. */
  leave(channel: string, listener: Listener): void
  /** How many listen to a channel in this process. */
  listening(channel: string): number
  /** Says that this process committed an event, so that it is told at once. */
  wake(): void
  /** Ends all listeners, and whoever listens later. */
  close(): void
}

/** What every part of the service is handed: settings, database, keys, mailer, log and clock. */
export interface App {
  /** Tells this server apart from the others on its database, for as long as it runs. */
  readonly id: string
  readonly config: Config
  readonly db: Database
  readonly keys: Keys
  readonly passwords: Passwords
  readonly mailer: Mailer
  /** Sent when a job was pushed. */
  readonly jobSignal: Signal
  readonly uploads: Uploads
  /** Where photos are kept. */
  readonly files: Files
  readonly events: Events
  readonly log: Log
  readonly assets: Assets
  /** What draws the pages, in each language, where it is not that of the build. */
  readonly frontend?: Frontend
  /** Documents that may be asked for again. */
  readonly documents: KeptDocuments
  now(): Date
  /** Lets work go on after the answer it belongs to. A failure is logged under `task`, with facts; `close` waits for it. */
  background(task: string, work: Promise<unknown>, facts?: Facts): void
}
