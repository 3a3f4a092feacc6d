import type { Db, Tx } from './db.ts'

/** A running window. */
export interface Throttle {
  /** With the try that was just counted, if one was. */
  readonly tries: number
  readonly endsAt: Date
}

export interface Throttles {
  /**
   * Counts a try, in one step with the look at the count. The first try opens a window that ends at `endsAt`. Later
   * tries leave the window's end as it is, unless it is after `latest` (`endsAt` when that is not given): the clock was
   * set back since, and the end becomes `endsAt`.
   */
  take(db: Db, take: { key: Uint8Array; now: Date; endsAt: Date; latest?: Date }): Promise<Throttle>
  /** The last window, which may be over; undefined when there is none. */
  find(db: Db, key: Uint8Array): Promise<Throttle | undefined>
  /** Has a window end at another time, in the transaction that has counted a try of it. */
  move(tx: Tx, window: { key: Uint8Array; endsAt: Date }): Promise<void>
  /** Forgets all tries. */
  clear(db: Db, key: Uint8Array): Promise<void>
  /**
   * Takes back a try that turned out not to be what is counted, if its window still runs. A window left without tries
   * is deleted.
   */
  giveBack(tx: Tx, giveBack: { key: Uint8Array; now: Date }): Promise<void>
  /** Deletes some of the throttles whose window is over, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
