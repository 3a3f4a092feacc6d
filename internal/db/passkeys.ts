import type { Db } from './db.ts'

export interface Passkey {
  readonly id: number
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export interface Passkeys {
  /** Oldest first. */
  ofUser(db: Db, userId: number): Promise<Passkey[]>
}
