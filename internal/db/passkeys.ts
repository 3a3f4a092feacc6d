import type { Db, Tx } from './db.ts'

export interface Passkey {
  readonly id: number
  readonly userId: number
  readonly credentialId: Buffer
  /** COSE. */
  readonly publicKey: Buffer
  readonly signCount: number
  readonly name: string
  /** 16 bytes; all zeros when it does not say which make it is. */
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
  /** The user's handle, which is `handle` if there was none. undefined when the user is gone. */
  handle(db: Db, user: { userId: number; handle: Uint8Array }): Promise<Buffer | undefined>
  /** The new passkey; undefined when its user has `most`, or some user has its credential already. */
  insert(tx: Tx, passkey: NewPasskey & { most: number }): Promise<Passkey | undefined>
  /**
   * Notes a use of a passkey. False when the passkey is gone, and unless its count is later than the last one or both
   * are 0 (security rule 1).
   */
  use(tx: Tx, use: { id: number; signCount: number; backedUp: boolean; at: Date }): Promise<boolean>
  /** Gives one of the user's passkeys another name. False when the user has none of this ID. */
  rename(db: Db, passkey: { userId: number; id: number; name: string }): Promise<boolean>
  /** Deletes one of the user's passkeys. False when it is the last one of a user without a password, or gone. */
  delete(tx: Tx, passkey: { userId: number; id: number }): Promise<boolean>
  /** Whether there was a passkey of this ID that is gone now. */
  isGone(db: Db, id: number): Promise<boolean>
}
