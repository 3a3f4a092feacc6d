import type { Db, Tx } from './db.ts'

/** A user's notice of a change of the account. */
export interface Notification {
  readonly id: number
  readonly userId: number
  readonly kind: string
  /** JSON: an object from which the text line is made when it is read. */
  readonly data: string
  readonly createdAt: Date
  /** null while unread. */
  readonly readAt: Date | null
}

export interface NewNotification {
  readonly userId: number
  readonly kind: string
  /** JSON. */
  readonly data: string
  readonly at: Date
}

export interface Notifications {
  insert(tx: Tx, notification: NewNotification): Promise<void>
  count(db: Db, userId: number): Promise<number>
  countUnread(db: Db, userId: number): Promise<number>
  /** Counts the same, but stops at `most`: each counted row costs time. */
  countUnreadTo(db: Db, count: { userId: number; most: number }): Promise<number>
  /** Newest first: `most` of them after skipping `skip`. */
  list(db: Db, list: { userId: number; skip: number; most: number }): Promise<Notification[]>
  /** Oldest first: `most` of them after skipping `skip`. */
  listOldest(db: Db, list: { userId: number; skip: number; most: number }): Promise<Notification[]>
  /** Newest first: `most` unread ones; with `arrived`, only those newer than every read one. */
  listUnread(
    db: Db,
    list: { userId: number; most: number; arrived: boolean },
  ): Promise<Notification[]>
  /** Marks those of `ids` as read that are the user's and unread, and returns how many. */
  markRead(tx: Tx, read: { userId: number; ids: readonly number[]; at: Date }): Promise<number>
  /** Keeps the user's `most` newest notifications, and deletes some of the rest. */
  keepNewest(db: Db, user: { userId: number; most: number }): Promise<void>
  /** Deletes some of the notifications read before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
