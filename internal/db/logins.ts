import type { Db, Tx } from './db.ts'
import type { User } from './users.ts'

/** A browser that is, or was until `endsAt`, logged in. */
export interface LoginRow {
  /** SHA-256 of the login's ID. */
  readonly key: Buffer
  readonly userId: number
  /** The first 512 bytes of the header. */
  readonly userAgent: string
  readonly address: string
  /** Whether it lasts 30 days after the last visit; otherwise two hours. */
  readonly remember: boolean
  readonly loggedInAt: Date
  readonly lastSeenAt: Date
  readonly endsAt: Date
}

/** What every request of a logged-in browser needs, read by one query: the user, and this much of the login. */
export interface Visit extends Pick<LoginRow, 'remember' | 'lastSeenAt'>, User {
  /** How many passkeys the user has. */
  readonly passkeys: number
  /** How many notifications are unread, counted up to `mostUnread`. */
  readonly unread: number
}

export interface NewLogin {
  readonly key: Uint8Array
  readonly userId: number
  readonly userAgent: string
  readonly address: string
  readonly remember: boolean
  readonly at: Date
  readonly endsAt: Date
}

export interface Logins {
  /** Throws if the user is gone. */
  insert(tx: Tx, login: NewLogin): Promise<void>
  /** Returns the login of this key with its user; undefined if it was deleted or has ended. */
  visit(db: Db, key: Uint8Array, ask: { now: Date; mostUnread: number }): Promise<Visit | undefined>
  /** Records that the login was seen at `now` and when it ends, unless it was seen after `before` or has ended. */
  markSeen(
    db: Db,
    markSeen: { key: Uint8Array; now: Date; endsAt: Date; before: Date },
  ): Promise<void>
  /** Returns at most `most` of the user's active logins: the one with the key `first`, then the most recently seen. */
  ofUser(
    db: Db,
    ask: { userId: number; now: Date; first: Uint8Array; most: number },
  ): Promise<LoginRow[]>
  /** Counts the user's logins that have not ended. */
  count(db: Db, user: { userId: number; now: Date }): Promise<number>
  delete(db: Db, key: Uint8Array): Promise<void>
  /** Deletes one of the user's logins; false if there is none with this key. */
  deleteOne(tx: Tx, login: { userId: number; key: Uint8Array }): Promise<boolean>
  /** Deletes every login of the user but one. */
  deleteOthers(tx: Tx, login: { userId: number; key: Uint8Array }): Promise<void>
  /** Gives a login another key. */
  replaceKey(tx: Tx, keys: { from: Uint8Array; to: Uint8Array }): Promise<void>
  /**
   * Keeps the user's `most` most recently seen logins, and deletes some of the rest. Logins seen later than `now`,
   * from a time when the clock was ahead, do not count, and stay.
   */
  keepNewest(db: Db, user: { userId: number; now: Date; most: number }): Promise<void>
  /** Deletes every login of the user, including the requesting browser's. */
  deleteOfUser(tx: Tx, userId: number): Promise<void>
  /** Does the same, and returns how many had not ended. */
  endOfUser(tx: Tx, user: { userId: number; now: Date }): Promise<number>
  /** Deletes some of the logins that have ended by `now`, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
