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
  /** How many the user has. */
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
  /** Writes that it was seen at `now` and when it ends, unless it was seen after `before` or has ended. */
  seen(db: Db, seen: { key: Uint8Array; now: Date; endsAt: Date; before: Date }): Promise<void>
  /** At most `most` of those that have not ended: the one of the key `first`, then the last one seen, and so on. */
  ofUser(
    db: Db,
    ask: { userId: number; now: Date; first: Uint8Array; most: number },
  ): Promise<LoginRow[]>
  /** How many of the user's have not ended. */
  count(db: Db, user: { userId: number; now: Date }): Promise<number>
  delete(db: Db, key: Uint8Array): Promise<void>
  /** Deletes one of the user's logins; false when there is no such one. */
  deleteOne(tx: Tx, login: { userId: number; key: Uint8Array }): Promise<boolean>
  /** Deletes every login of the user but one. */
  deleteOthers(tx: Tx, login: { userId: number; key: Uint8Array }): Promise<void>
  /** Everybody's. */
  deleteAll(tx: Tx): Promise<void>
  /** Deletes some of the user's but so many, the last ones seen; a clock that was ahead makes none older than it is. */
  keepNewest(db: Db, user: { userId: number; now: Date; most: number }): Promise<void>
  /** Every login of the user, this browser's too. */
  deleteOfUser(tx: Tx, userId: number): Promise<void>
  /** The same, and how many of them had not ended. */
  endOfUser(tx: Tx, user: { userId: number; now: Date }): Promise<number>
  /** Deletes some of those that have ended, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
