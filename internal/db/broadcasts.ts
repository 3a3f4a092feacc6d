import type { Db, Tx } from './db.ts'

/** An event to be carried to open pages. */
export interface Broadcast {
  readonly id: number
  readonly channel: string
  readonly event: string
}

export interface Broadcasts {
  insert(tx: Tx, broadcast: { channel: string; event: string; at: Date }): Promise<void>
  /** The committed events of a channel since `from`, in order. */
  recent(db: Db, ask: { channel: string; from: Date }): Promise<Broadcast[]>
  /** Deletes some of the events created before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
