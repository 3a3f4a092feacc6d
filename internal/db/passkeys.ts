import type { Db, Tx } from './db.ts'

export interface Passkey {
  readonly id: number
  readonly userId: number
  readonly credentialId: Buffer
  /** A COSE key. */
  readonly publicKey: Buffer
  readonly signCount: number
  readonly name: string
  /** 16 bytes identifying the authenticator model; all zeros if it does not say. */
  readonly aaguid: Buffer
  /** JSON: an array of text. */
  readonly transports: string
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export interface NewPasskey {
  readonly userId: number
  readonly credentialId: Uint8Array
  readonly publicKey: Uint8Array
  readonly signCount: number
  readonly name: string
  readonly aaguid: Uint8Array
  /** JSON: an array of text. */
  readonly transports: string
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly at: Date
}

export interface Passkeys {
  /** Oldest first. */
  ofUser(db: Db, userId: number): Promise<Passkey[]>
  byCredentialId(db: Db, credentialId: Uint8Array): Promise<Passkey | undefined>
  /** Returns the user's handle; stores `handle` if there was none. undefined if the user is gone. */
  handle(db: Db, user: { userId: number; handle: Uint8Array }): Promise<Buffer | undefined>
  /** Returns the new passkey; undefined if its user has `most` already, or any user has its credential. */
  insert(tx: Tx, passkey: NewPasskey & { most: number }): Promise<Passkey | undefined>
  /**
   * Records a use of a passkey. Returns false if the passkey is gone, or unless its count is greater than the last one
   * or both are 0 (security rule 1).
   */
  use(tx: Tx, use: { id: number; signCount: number; backedUp: boolean; at: Date }): Promise<boolean>
  /** Renames one of the user's passkeys. False if the user has none with this ID. */
  rename(db: Db, passkey: { userId: number; id: number; name: string }): Promise<boolean>
  /** Deletes one of the user's passkeys. False if it is gone, or the last one of a user without a password. */
  delete(tx: Tx, passkey: { userId: number; id: number }): Promise<boolean>
  /** Whether a passkey with this ID existed and is gone now. */
  isGone(db: Db, id: number): Promise<boolean>
}
