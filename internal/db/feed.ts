import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Broadcast } from './broadcasts.ts'
import type { Db } from './db.ts'

/** Who is told of the events of all processes on a database. */
export interface Follower {
  /**
   * Of each event that is committed once the feed has begun, once. Of two the one first that was committed before the
   * other's transaction began; of others in no order that is promised.
   */
  told(event: Broadcast): void
  /** Some may have been lost: whoever was to hear of them looks anew. */
  missed(): void
  /** What keeps it from hearing, once for as long as it does: the feed tries again by itself. */
  failed(error: unknown): void
}

export interface Feed {
  /** Resolves once whatever is committed from then on will be told; also when it is closed before. */
  readonly begun: Promise<void>
  /** A hint that an event of this process was committed, which is told at once. */
  wake(): void
  /** From here on nobody is told of anything. */
  close(): void
}

export interface Feeds {
  /** Follows until it is closed; what another process commits is told a quarter of a second later at most. */
  open(database: { readonly db: Db; readonly address: DatabaseAddress }, follower: Follower): Feed
}
