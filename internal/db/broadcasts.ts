import type { Db, Tx } from './db.ts'

/** An event on its way to open pages. */
export interface Broadcast {
  readonly id: number
  readonly channel: string
  readonly event: string
}

export interface Broadcasts {
  insert(tx: Tx, broadcast: { channel: string; event: string; at: Date }): Promise<void>
  /** What a channel was told from a time on, as far as it is committed, in order. */
  recent(db: Db, ask: { channel: string; from: Date }): Promise<Broadcast[]>
  /** Deletes some of those made before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
