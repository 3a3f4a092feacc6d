import { holds } from '../../base/lifetimes.ts'
import { randomId } from '../../base/crypto/random.ts'
import { sessions } from '#db/sessions'
import { users } from '#db/users'
import { rowKey } from './session-name.ts'
import { fitting, isEmpty } from './session-store.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { SessionRow } from '../../db/sessions.ts'
import { loggedOut, type Session, span } from './session.ts'

interface Unsealed {
  readonly session: Session
  /** Whether it was sealed with a key that is no longer the first. */
  readonly stale: boolean
}

/** A session read from its row. */
export interface StoredSession extends Unsealed {
  /** When its span last began, in milliseconds since 1970. */
  readonly sealedAt: number
  readonly endsAt: Date
}

/** A session with an ID of its own, as inserted. */
interface Inserted {
  readonly id: string
  readonly savedSession: Session
}

// Anybody can make a row with each request without logging in, so it holds about as much as a cookie would.
const longestOfGuest = 4_096
const mostCached = 2_000
// Longer ones hold typed text, and are read only once.
const longestCached = 8 * 1024

/**
 * The rows of sessions. Each is sealed for its own key, so it cannot be read in another's place (security
 * rule 4).
 */
export class SessionRows {
  readonly #app: App
  // Keyed by the sealed text, which determines the session, and is valid only in its own row.
  readonly #unsealed = new Map<string, Unsealed & { readonly key: Buffer }>()

  constructor(app: App) {
    this.#app = app
  }

  /** Reads a session; undefined if there is none, it has ended, or no key opens it. */
  async find(key: Buffer): Promise<StoredSession | undefined> {
    const now = this.#app.now()
    return this.#stored(key, await sessions.find(this.#app.db, { key, now }), now)
  }

  /** As `find`, but locks the row until the transaction ends. */
  async hold(tx: Tx, key: Buffer, now = this.#app.now()): Promise<StoredSession | undefined> {
    return this.#stored(key, await sessions.hold(tx, { key, now }), now)
  }

  #stored(key: Buffer, row: SessionRow | undefined, now: Date): StoredSession | undefined {
    const unsealed = row && this.#unseal(key, row.payload)
    if (!row || !unsealed) return undefined
    const { endsAt } = row
    const duration = span(unsealed.session)
    const sealedAt = endsAt.getTime() - duration
    return holds(sealedAt, duration, now) ? { ...unsealed, sealedAt, endsAt } : undefined
  }

  /** Inserts a row, and returns the session's ID. Throws if the user is gone. */
  async insert(tx: Tx, session: Session): Promise<string> {
    const id = randomId()
    const key = rowKey(id)
    const userId = session.login?.userId ?? null
    const payload = this.#seal(key, session)
    await sessions.insert(tx, { key, userId, payload, endsAt: endOf(session, this.#app.now()) })
    return id
  }

  /** Waits for the transaction that inserted it, if it is still under way and has locked the user's row. */
  async isInserted(tx: Tx, { id, savedSession }: Inserted): Promise<boolean> {
    await withoutDeletedUser(tx, savedSession)
    return (await this.hold(tx, rowKey(id))) !== undefined
  }

  /** Saves a session, or deletes its row if nothing is left. */
  async save(tx: Tx, key: Buffer, session: Session, endsAt: Date): Promise<void> {
    if (isEmpty(session)) await sessions.delete(tx, key)
    else await sessions.update(tx, { key, payload: this.#seal(key, session), endsAt })
  }

  #seal(key: Buffer, session: Session): string {
    return this.#app.keys.seal('session', contextOf(key), JSON.stringify(session))
  }

  #unseal(key: Buffer, payload: string): Unsealed | undefined {
    const known = this.#unsealed.get(payload)
    if (known?.key.equals(key)) return known
    const sealed = this.#app.keys.open('session', contextOf(key), payload)
    if (!sealed) return undefined
    // Only `#seal` seals for a row, so the text is a session, perhaps from an older version.
    const unsealed = { key, session: JSON.parse(sealed.text) as Session, stale: sealed.stale }
    if (this.#unsealed.size >= mostCached) this.#unsealed.clear()
    if (payload.length <= longestCached) this.#unsealed.set(payload, unsealed)
    return unsealed
  }
}

/** Returns when a session visited now ends. */
export function endOf(session: Session, now: Date): Date {
  return new Date(now.getTime() + span(session))
}

/**
 * Returns the session to save, logged out if the account was deleted since the login was made or found
 * (security rule 21). Locks the user's row until the transaction ends.
 */
export async function withoutDeletedUser(tx: Tx, session: Session): Promise<Session> {
  const { login } = session
  if (!login || (await users.hold(tx, login.userId))) return session
  return fitting(loggedOut(session), isShort)
}

/** Whether a session of a guest is short enough for a row. */
export function isShort(session: Session): boolean {
  return Buffer.byteLength(JSON.stringify(session)) <= longestOfGuest
}

function contextOf(key: Buffer): string {
  return key.toString('hex')
}
