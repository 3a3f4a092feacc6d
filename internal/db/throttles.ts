import type { Db, Tx } from './db.ts'

/** A throttle's window. */
export interface Throttle {
  /** Including the try that was just counted. */
  readonly tries: number
  readonly endsAt: Date
}

export interface Throttles {
  /**
   * Counts a try and reads the count atomically. The first try opens a window that ends at `endsAt`. Later tries keep
   * the window's end, unless it is after `latest` (default `endsAt`), because the clock was set back since: then it
   * becomes `endsAt`.
   */
  take(db: Db, take: { key: Uint8Array; now: Date; endsAt: Date; latest?: Date }): Promise<Throttle>
  /** Returns the last window, which may be over; undefined if there is none. */
  find(db: Db, key: Uint8Array): Promise<Throttle | undefined>
  /** Changes a window's end. */
  move(db: Db, window: { key: Uint8Array; endsAt: Date }): Promise<void>
  /** Forgets all tries. */
  clear(db: Db, key: Uint8Array): Promise<void>
  /** Uncounts a try that should not have counted, if its window is still running. A window without tries is deleted. */
  giveBack(tx: Tx, giveBack: { key: Uint8Array; now: Date }): Promise<void>
  /** Deletes some windows that are over, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
