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
import type { Span } from './db/broadcasts.ts'
import type { Database } from './db/db.ts'
import type { Frontend } from '../web/contract/frontend.ts'
import type { EventName } from '../web/contract/event-names.ts'

/** A subscriber to the events of a channel. */
export interface Listener {
  hear(event: EventName): void
  /** Called once no more events will come: the service is stopping. */
  end(): void
}

/** Events by channel, published by any process on this database (spec: Broadcast events). */
export interface Events {
  /**
   * Delivers the events of the span `since`, then every event committed from now on, to the listener, in
   * order and once each, until it leaves. Resolves once the starting position is known. Events older than a
   * minute may be missing.
   */
  listen(channel: string, listener: Listener, since?: Span): Promise<void>
  /** Takes effect at once, even for a listener whose starting position is not known yet. */
  leave(channel: string, listener: Listener): void
  /** Counts the listeners of a channel in this process. */
  listening(channel: string): number
  /** Signals that this process committed an event, so that it is delivered at once. */
  wake(): void
  /** Ends all listeners, including any added later. */
  close(): void
}

/** What every part of the service works with: settings, database, keys, mailer, log and clock. */
export interface App {
  /** The ID of this server among those on its database, for as long as it runs. */
  readonly id: string
  readonly config: Config
  readonly db: Database
  readonly keys: Keys
  readonly passwords: Passwords
  readonly mailer: Mailer
  /** Sent after a job was pushed. */
  readonly jobSignal: Signal
  readonly uploads: Uploads
  /** Where photos are kept. */
  readonly files: Files
  readonly events: Events
  readonly log: Log
  readonly assets: Assets
  /** The frontend for all languages, in place of the build's. */
  readonly frontend?: Frontend
  /** Cached documents of pages. */
  readonly documents: KeptDocuments
  now(): Date
  /**
   * Lets work outlive the answer it belongs to. A failure is logged under `task`, with facts; `close` waits
   * for it.
   */
  background(task: string, work: Promise<unknown>, facts?: Facts): void
}
