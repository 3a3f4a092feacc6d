import type { Db, Tx } from './db.ts'
import type { User } from './users.ts'

/** An API token (table `access_tokens`). The token itself is kept nowhere. */
export interface AccessToken {
  readonly id: number
  readonly userId: number
  /** SHA-256 of the token. */
  readonly hash: Buffer
  readonly name: string
  /** JSON: an array of text. */
  readonly abilities: string
  /** null: never. */
  readonly expiresAt: Date | null
  /** Written at most once a minute; null before the first use. */
  readonly lastUsedAt: Date | null
  readonly createdAt: Date
}

/** A token that is used, and whose it is. */
export interface UsedToken extends User {
  readonly tokenId: number
  /** The token is looked for by it again. */
  readonly tokenHash: Buffer
  readonly abilities: string
  readonly lastUsedAt: Date | null
}

export interface Tokens {
  /** The token's ID, or undefined when the user has `most` already. */
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
  /** The user's, the newest first; those that have expired too. */
  ofUser(db: Db, userId: number): Promise<AccessToken[]>
  /** The token of this hash with its user, or undefined when it was revoked, has expired or never was. */
  use(db: Db, token: { hash: Uint8Array; now: Date }): Promise<UsedToken | undefined>
  /** Writes that it was used at `now`, unless it was used after `before`, and not after `beyond`. */
  used(db: Db, token: { id: number; now: Date; before: Date; beyond: Date }): Promise<void>
  /** How many the user has; those that have expired too. */
  count(db: Db, userId: number): Promise<number>
  /** Deletes a token. False when the user had none of this ID. */
  delete(db: Db, token: { userId: number; id: number }): Promise<boolean>
  /** Whether there was a token of this ID that is gone now. */
  isGone(db: Db, id: number): Promise<boolean>
}
