import type { Db, Tx } from './db.ts'

/** A running window. */
export interface Throttle {
  /** With the one that was just counted, if one was. */
  readonly tries: number
  readonly endsAt: Date
}

export interface Throttles {
  /**
   * Counts a try, in one step with the look at the count. The first one opens a window that ends at `endsAt`; the
   * others leave its end as it is, unless it is after `latest`, or `endsAt` when that is not given: the clock was set
   * back then.
   */
  take(db: Db, take: { key: Uint8Array; now: Date; endsAt: Date; latest?: Date }): Promise<Throttle>
  /** The last window, which may be over; undefined when there is none. */
  find(db: Db, key: Uint8Array): Promise<Throttle | undefined>
  /** Has a window end at another time, in the transaction that has counted a try of it. */
  move(tx: Tx, window: { key: Uint8Array; endsAt: Date }): Promise<void>
  /** Forgets all tries. */
  clear(db: Db, key: Uint8Array): Promise<void>
  /** Takes one from the tries of a window that still runs: it turned out not to be what is counted. */
  giveBack(tx: Tx, given: { key: Uint8Array; now: Date }): Promise<void>
  /** Deletes some of those whose window is over, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
