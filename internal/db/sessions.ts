import type { Db, Tx } from './db.ts'

/** The stored part of a session. */
export interface SessionRow {
  /** Sealed. */
  readonly payload: string
  readonly endsAt: Date
}

export interface NewSession extends SessionRow {
  /** SHA-256 of the session's ID. */
  readonly key: Uint8Array
  /** null for a guest. */
  readonly userId: number | null
}

export interface Sessions {
  /** Throws if the user is gone. */
  insert(tx: Tx, session: NewSession): Promise<void>
  /** undefined if it was deleted or has ended. */
  find(db: Db, session: { key: Uint8Array; now: Date }): Promise<SessionRow | undefined>
  /** Like `find`, but locks the row until the transaction ends. */
  hold(tx: Tx, session: { key: Uint8Array; now: Date }): Promise<SessionRow | undefined>
  /** Does nothing if there is none. */
  update(tx: Tx, session: SessionRow & { key: Uint8Array }): Promise<void>
  /** Returns false if there was none. */
  delete(tx: Tx, key: Uint8Array): Promise<boolean>
  /** Deletes some ended sessions, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
