import { holds } from '../../base/lifetimes.ts'
import { randomId } from '../../base/crypto/random.ts'
import { sessions } from '#db/sessions'
import { rowKey } from './session-name.ts'
import { isEmpty } from './session-store.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { SessionRow } from '../../db/sessions.ts'
import { type Session, span } from './session.ts'

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

function contextOf(key: Buffer): string {
  return key.toString('hex')
}
