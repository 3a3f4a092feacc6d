import type { Db, Tx } from './db.ts'

/** An event on its way to open pages. */
export interface Broadcast {
  readonly id: number
  readonly channel: string
  readonly event: string
}

export interface Broadcasts {
  insert(tx: Tx, broadcast: { channel: string; event: string; at: Date }): Promise<void>
  /** The ID of the last one; 0 when there is none. */
  lastId(db: Db): Promise<number>
  /** What a channel was told from a time on, up to this ID, in order. */
  recent(db: Db, ask: { channel: string; from: Date; upTo: number }): Promise<Broadcast[]>
  /** Some of those with a greater ID, which is the order they were committed in. */
  after(db: Db, id: number): Promise<Broadcast[]>
  /** Deletes some of those made before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
