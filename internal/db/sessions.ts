import type { Db, Tx } from './db.ts'

/** A session as its row has it. */
export interface SessionRow {
  /** Sealed. */
  readonly payload: string
  readonly endsAt: Date
}

export interface NewSession extends SessionRow {
  /** SHA-256 of the session's ID. */
  readonly key: Uint8Array
  /** null: a guest's. */
  readonly userId: number | null
}

export interface Sessions {
  /** Throws when the user is gone. */
  insert(tx: Tx, session: NewSession): Promise<void>
  /** undefined when it was deleted or has ended. */
  find(db: Db, session: { key: Uint8Array; now: Date }): Promise<SessionRow | undefined>
  /** As `find`; until the transaction ends no other one holds or changes the row. */
  hold(tx: Tx, session: { key: Uint8Array; now: Date }): Promise<SessionRow | undefined>
  /** Does nothing when there is none. */
  update(tx: Tx, session: SessionRow & { key: Uint8Array }): Promise<void>
  /** False when there was none. */
  delete(tx: Tx, key: Uint8Array): Promise<boolean>
  /** Deletes some of those that have ended, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
