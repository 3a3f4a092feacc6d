import type { Db, Tx } from './db.ts'

/** An account. */
export interface User {
  readonly id: number
  readonly name: string
  /** As it was typed, in NFC. Mail goes there. */
  readonly email: string
  /** The email in the one spelling that is unique and looked up, as `emailKey` of `base/email.ts` makes it (security rule 13). */
  readonly emailKey: string
  /** null until the email is verified. */
  readonly emailVerifiedAt: Date | null
  /** PHC string; empty for an account with no password. */
  readonly passwordHash: string
  /** How often the password was set or removed. */
  readonly passwordChanges: number
  /** Sealed; login takes a code when it is there. */
  readonly twoFactorSecret: string | null
  /** Sealed. */
  readonly recoveryCodes: string | null
  /** When the user said that these codes are saved; null until then. */
  readonly recoveryCodesSavedAt: Date | null
  /** The time step of the last accepted code. */
  readonly twoFactorStep: number
  /** The key of the photo's file. */
  readonly photo: string | null
  readonly passkeyHandle: Buffer | null
  /** The language that the user chose for pages and mails (BCP 47); null for no choice. */
  readonly language: string | null
  /** The language of the pages when the user last logged in. */
  readonly lastLanguage: string | null
  readonly createdAt: Date
}

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly emailKey: string
  readonly passwordHash: string
  readonly at: Date
}

/** An account as a list of all shows it. */
export interface ListedUser extends Pick<
  User,
  'id' | 'name' | 'email' | 'emailVerifiedAt' | 'createdAt'
> {
  readonly twoFactor: boolean
  /** Whether the account has a password. */
  readonly password: boolean
  readonly passkeys: number
  /** The last visit of the logins that have a row; null when none has. */
  readonly lastVisitAt: Date | null
  /** The last login in the last year; null when there was none. */
  readonly lastLoginAt: Date | null
}

export interface Users {
  /** The new account, or undefined when the email is taken. */
  insert(tx: Tx, user: NewUser): Promise<User | undefined>
  byId(db: Db, id: number): Promise<User | undefined>
  /**
   * The user as they are now; until the transaction ends no other one holds or changes the row. Whatever changes an
   * account by what is looked up of it begins with this.
   */
  hold(tx: Tx, id: number): Promise<User | undefined>
  byEmailKey(db: Db, emailKey: string): Promise<User | undefined>
  /**
   * The newest first, of those with a smaller ID than `before`. `like`: a pattern of LIKE with `!` as its escape, which
   * the name, the email or its key matches; ASCII letters in any case.
   */
  find(
    db: Db,
    find: { before: number; like: string; most: number },
  ): Promise<Pick<User, 'id' | 'name' | 'email'>[]>
  /** Those of these IDs, the newest first. */
  list(db: Db, ids: readonly number[]): Promise<ListedUser[]>
  /** Whether an account has the email. */
  isTaken(db: Db, emailKey: string): Promise<boolean>
  /** Keeps the same password under another hash. False when the hash is not `from` any more. */
  rehash(tx: Tx, change: { id: number; from: string; to: string }): Promise<boolean>
  /** Notes that the email is verified. False when it was already, or is no longer the account's. */
  verify(tx: Tx, verified: { id: number; email: string; at: Date }): Promise<boolean>
  /**
   * Sets another password, notes the email as verified if it was not, and counts the change. Undefined when the
   * email, the hash `from` or the count `changes` is not the account's any more.
   */
  reset(
    tx: Tx,
    change: { id: number; emailKey: string; from: string; changes: number; to: string; at: Date },
  ): Promise<User | undefined>
  /**
   * Keeps name and email. An email that differs in more than its case is unverified again. undefined when another
   * account has the email, or the account is gone.
   */
  updateProfile(
    tx: Tx,
    profile: { id: number; name: string; email: string; emailKey: string },
  ): Promise<User | undefined>
  /** Sets a password and counts the change; undefined when the hash is not `from` any more. */
  setPassword(tx: Tx, change: { id: number; from: string; to: string }): Promise<User | undefined>
  /**
   * Leaves the account without a password and counts the change; undefined when the hash is not `from` any more, or
   * the account has no passkey.
   */
  removePassword(tx: Tx, change: { id: number; from: string }): Promise<User | undefined>
  /** Keeps the language that was chosen. */
  setLanguage(tx: Tx, change: { id: number; language: string }): Promise<void>
  /** Keeps the language that the pages are in as the user logs in. */
  noteLanguage(tx: Tx, noted: { id: number; language: string }): Promise<void>
  /** Keeps the key of the photo's file; null for none. False when the account is gone. */
  setPhoto(tx: Tx, change: { id: number; photo: string | null }): Promise<boolean>
  /** Whether an account has a photo whose file has this key. */
  hasPhoto(db: Db, photo: string): Promise<boolean>
  /** Deletes the account with all that is its own, and returns it; undefined when the hash is not `from` any more. */
  delete(tx: Tx, account: { id: number; from: string }): Promise<User | undefined>
  /** Deletes the passkeys and API tokens of an account, and returns how many. */
  deleteKeys(tx: Tx, id: number): Promise<number>
}
