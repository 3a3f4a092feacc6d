import type { Db, Tx } from './db.ts'
import type { User } from './users.ts'

/** A browser that is logged in, or was until `endsAt`. */
export interface LoginRow {
  /** SHA-256 of the login's ID. */
  readonly key: Buffer
  readonly userId: number
  /** The first 512 bytes. */
  readonly userAgent: string
  readonly address: string
  /** Whether it lasts 30 days without a visit; otherwise two hours. */
  readonly remember: boolean
  readonly loggedInAt: Date
  readonly lastSeenAt: Date
  readonly endsAt: Date
}

/** What each request of a logged-in browser needs, in one look: the user, and no more of the login than this. */
export interface Visit extends Pick<LoginRow, 'remember' | 'lastSeenAt'>, User {
  /** How many passkeys the user has. */
  readonly passkeys: number
  /** How many notifications the user has not read, counted to `mostUnread`. */
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
  /** Throws when the user is gone. */
  insert(tx: Tx, login: NewLogin): Promise<void>
  /** The login of this key with its user, or undefined when it was deleted or has ended. */
  visit(db: Db, key: Uint8Array, ask: { now: Date; mostUnread: number }): Promise<Visit | undefined>
  /** Writes that the login was seen at `now` and when it ends, unless it was seen after `before` or has ended. */
  markSeen(
    db: Db,
    markSeen: { key: Uint8Array; now: Date; endsAt: Date; before: Date },
  ): Promise<void>
  /** At most `most` of the user's logins that have not ended: the one with the key `first`, then those seen last. */
  ofUser(
    db: Db,
    ask: { userId: number; now: Date; first: Uint8Array; most: number },
  ): Promise<LoginRow[]>
  /** How many logins of the user have not ended. */
  count(db: Db, user: { userId: number; now: Date }): Promise<number>
  delete(db: Db, key: Uint8Array): Promise<void>
  /** Deletes one of the user's logins; false when there is no such one. */
  deleteOne(tx: Tx, login: { userId: number; key: Uint8Array }): Promise<boolean>
  /** Deletes every login of the user but one. */
  deleteOthers(tx: Tx, login: { userId: number; key: Uint8Array }): Promise<void>
  /** Deletes every login of everybody. */
  deleteAll(tx: Tx): Promise<void>
  /**
   * Keeps the user's `most` logins that were seen last, and deletes some of the rest. Logins seen later than `now`,
   * from when a clock was ahead, do not count, and stay.
   */
  keepNewest(db: Db, user: { userId: number; now: Date; most: number }): Promise<void>
  /** Deletes every login of the user, that of the browser that asks too. */
  deleteOfUser(tx: Tx, userId: number): Promise<void>
  /** Does the same, and returns how many of them had not ended. */
  endOfUser(tx: Tx, user: { userId: number; now: Date }): Promise<number>
  /** Deletes some of the logins that have ended, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
