import type { Db, Tx } from './db.ts'

/** An account. */
export interface User {
  readonly id: number
  readonly name: string
  /** As typed, in NFC. The address for mail. */
  readonly email: string
  /**
   * The email in the canonical spelling that is unique and looked up, made by `emailKey` of `base/email.ts` (security
   * rule 13).
   */
  readonly emailKey: string
  /** null until the email is verified. */
  readonly emailVerifiedAt: Date | null
  /** PHC string; empty for an account with no password. */
  readonly passwordHash: string
  /** How many times the password was set or removed. */
  readonly passwordChanges: number
  /** Sealed. If present, login requires a code. */
  readonly twoFactorSecret: string | null
  /** Sealed. */
  readonly recoveryCodes: string | null
  /** When the user confirmed having saved these codes; null until then. */
  readonly recoveryCodesSavedAt: Date | null
  /** The time step of the last accepted code. */
  readonly twoFactorStep: number
  /** The key of the photo's file; null for none. */
  readonly photo: string | null
  readonly passkeyHandle: Buffer | null
  /** The language chosen for pages and mails (BCP 47); null if none was chosen. */
  readonly language: string | null
  /** The language of the pages at the last login. */
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

/** An account in a list of accounts. */
export interface ListedUser extends Pick<
  User,
  'id' | 'name' | 'email' | 'emailVerifiedAt' | 'createdAt'
> {
  readonly twoFactor: boolean
  /** Whether the account has a password. */
  readonly password: boolean
  readonly passkeys: number
  /** The latest visit among the stored logins; null if there are none. */
  readonly lastVisitAt: Date | null
  /** The latest login within the last year; null if there was none. */
  readonly lastLoginAt: Date | null
}

export interface Users {
  /** Returns the new account, or undefined if the email is taken. */
  insert(tx: Tx, user: NewUser): Promise<User | undefined>
  byId(db: Db, id: number): Promise<User | undefined>
  /**
   * Reads the user and locks the row until the transaction ends. Call it first in any change that depends on what is
   * read from the account.
   */
  hold(tx: Tx, id: number): Promise<User | undefined>
  byEmailKey(db: Db, emailKey: string): Promise<User | undefined>
  /** Returns the highest ID; 0 if there are no users. */
  lastId(db: Db): Promise<number>
  /**
   * Returns the newest users with an ID above `after` and below `before`. `like`: a LIKE pattern with `!` as its
   * escape, matched against name, email and email key; ASCII letters match in any case.
   */
  find(
    db: Db,
    find: { after: number; before: number; like: string; most: number },
  ): Promise<Pick<User, 'id' | 'name' | 'email'>[]>
  /** Returns the users with these IDs, newest first. */
  list(db: Db, ids: readonly number[]): Promise<ListedUser[]>
  /** Whether an account has the email. */
  isTaken(db: Db, emailKey: string): Promise<boolean>
  /** Stores another hash of the same password. False if the hash is no longer `from`. */
  rehash(tx: Tx, change: { id: number; from: string; to: string }): Promise<boolean>
  /** Marks the email as verified. False if it was already, or is no longer the account's. */
  verify(tx: Tx, verified: { id: number; email: string; at: Date }): Promise<boolean>
  /**
   * Sets a new password, marks the email as verified, and counts the change. undefined if the email, the hash `from`
   * or the count `changes` is no longer the account's.
   */
  reset(
    tx: Tx,
    change: { id: number; emailKey: string; from: string; changes: number; to: string; at: Date },
  ): Promise<User | undefined>
  /**
   * Stores name and email. An email that differs in more than case becomes unverified. undefined if another account
   * has the email, or the account is gone.
   */
  updateProfile(
    tx: Tx,
    profile: { id: number; name: string; email: string; emailKey: string },
  ): Promise<User | undefined>
  /** Sets a password and counts the change; undefined if the hash is no longer `from`. */
  setPassword(tx: Tx, change: { id: number; from: string; to: string }): Promise<User | undefined>
  /**
   * Removes the password and counts the change; undefined if the hash is no longer `from`, or the account has no
   * passkey.
   */
  removePassword(tx: Tx, change: { id: number; from: string }): Promise<User | undefined>
  /** Stores the chosen language. */
  setLanguage(tx: Tx, change: { id: number; language: string }): Promise<void>
  /** Records the language of the pages at login. */
  noteLanguage(tx: Tx, noted: { id: number; language: string }): Promise<void>
  /** Stores the key of the photo's file; null for none. False if the account is gone. */
  setPhoto(tx: Tx, change: { id: number; photo: string | null }): Promise<boolean>
  /** Whether an account has a photo with this file key. */
  hasPhoto(db: Db, photo: string): Promise<boolean>
  /** Deletes the account with all that belongs to it, and returns it; undefined if the hash is no longer `from`. */
  delete(tx: Tx, account: { id: number; from: string }): Promise<User | undefined>
  /** Deletes an account's passkeys and API tokens, and returns how many. */
  deleteKeys(tx: Tx, id: number): Promise<number>
}
