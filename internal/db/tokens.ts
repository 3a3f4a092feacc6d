import type { Db, Tx } from './db.ts'
import type { User } from './users.ts'

/** An API token (table `access_tokens`). Only its hash is stored. */
export interface AccessToken {
  readonly id: number
  readonly userId: number
  /** SHA-256 of the token. */
  readonly hash: Buffer
  readonly name: string
  /** JSON: an array of text. */
  readonly abilities: string
  /** null: never expires. */
  readonly expiresAt: Date | null
  /** Written at most once a minute; null before the first use. */
  readonly lastUsedAt: Date | null
  readonly createdAt: Date
}

/** A token in use, with its user. */
export interface UsedToken extends User {
  readonly tokenId: number
  /** The hash, for looking the token up again. */
  readonly tokenHash: Buffer
  readonly abilities: string
  readonly lastUsedAt: Date | null
}

export interface Tokens {
  /** Returns the token's ID, or undefined if the user has `most` already. */
  insert(
    tx: Tx,
    token: {
      readonly userId: number
      readonly hash: Uint8Array
      readonly name: string
      readonly abilities: string
      readonly expiresAt: Date | null
      readonly at: Date
      /** How many tokens a user may have. */
      readonly most: number
    },
  ): Promise<number | undefined>
  /** Returns the user's tokens, newest first, expired ones included. */
  ofUser(db: Db, userId: number): Promise<AccessToken[]>
  /** Returns the token of this hash with its user; undefined if it is unknown, revoked or expired. */
  use(db: Db, token: { hash: Uint8Array; now: Date }): Promise<UsedToken | undefined>
  /** Records a use at `now`, unless the last one is after `before` and not after `beyond`. */
  used(db: Db, token: { id: number; now: Date; before: Date; beyond: Date }): Promise<void>
  /** Counts the user's tokens, expired ones included. */
  count(db: Db, userId: number): Promise<number>
  /** Deletes a token. False if the user has none with this ID. */
  delete(db: Db, token: { userId: number; id: number }): Promise<boolean>
  /** Whether a token with this ID existed and is gone now. */
  isGone(db: Db, id: number): Promise<boolean>
}
