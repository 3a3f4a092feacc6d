import type { Db, Tx } from './db.ts'

/** An event to be carried to open pages. */
export interface Broadcast {
  readonly id: number
  readonly channel: string
  readonly event: string
}

/** Includes both ends. */
export interface Span {
  readonly from: Date
  readonly until: Date
}

export interface Broadcasts {
  insert(tx: Tx, broadcast: { channel: string; event: string; at: Date }): Promise<void>
  /** The committed events of a channel within the span, in order. */
  recent(db: Db, ask: { channel: string } & Span): Promise<Broadcast[]>
  /** Deletes some of the events created before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
