import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Broadcast } from './broadcasts.ts'
import type { Db } from './db.ts'

/** Receives the events of all processes on a database. */
export interface Follower {
  /**
   * Called once for each event committed after the feed has begun. An event committed before another's transaction
   * began arrives before that other one; no other order is guaranteed.
   */
  received(event: Broadcast): void
  /** Events may have been lost: every listener should reload. */
  missed(): void
  /** Called with the error that keeps the feed from reading, once per outage: the feed retries by itself. */
  failed(error: unknown): void
}

export interface Feed {
  /** Resolves once every event committed from then on will be delivered, or if the feed is closed before. */
  readonly started: Promise<void>
  /** Tells the feed that this process committed an event: it reads at once. */
  wake(): void
  /** Stops: the follower is not called any more. */
  close(): void
}

export interface Feeds {
  /** Follows until it is closed. Events of other processes arrive at most a quarter of a second late. */
  open(database: { readonly db: Db; readonly address: DatabaseAddress }, follower: Follower): Feed
}
