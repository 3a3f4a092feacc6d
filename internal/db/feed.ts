import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Broadcast } from './broadcasts.ts'
import type { Db } from './db.ts'

/** Receives the events of all processes on a database. */
export interface Follower {
  /**
   * Called once for each event that is committed after the feed has begun. An event that was committed before the
   * transaction of another began comes before that one; otherwise no order is promised.
   */
  received(event: Broadcast): void
  /** Events may have been lost: those who were to hear of them look anew. */
  missed(): void
  /** The error that keeps the feed from reading, once for as long as it lasts: the feed tries again by itself. */
  failed(error: unknown): void
}

export interface Feed {
  /** Resolves once every event that is committed from then on will be told; also when the feed is closed before. */
  readonly begun: Promise<void>
  /** Says that this process committed an event: the feed reads at once. */
  wake(): void
  /** From here on the follower is told nothing. */
  close(): void
}

export interface Feeds {
  /** Follows until it is closed; what another process commits is told a quarter of a second later at most. */
  open(database: { readonly db: Db; readonly address: DatabaseAddress }, follower: Follower): Feed
}
