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
  /** Sealed with a key that is no longer the first. */
  readonly stale: boolean
}

/** A session as its row has it. */
export interface Found extends Unsealed {
  /** When its span last began, in milliseconds since 1970. */
  readonly sealedAt: number
  readonly endsAt: Date
}

const keptAtMost = 2_000
// Longer ones hold what somebody typed, and are read once.
const longestKept = 8 * 1024

/** The rows of sessions. Each is sealed for its own key: none can be read in another's place (security rule 4). */
export class SessionRows {
  readonly #app: App
  // By the sealed text: the same text is the same session, and is good in its own row alone.
  readonly #unsealed = new Map<string, Unsealed & { readonly key: Buffer }>()

  constructor(app: App) {
    this.#app = app
  }

  /** undefined when there is none, it has ended, or no key opens it. */
  async find(key: Buffer): Promise<Found | undefined> {
    const now = this.#app.now()
    return this.#found(key, await sessions.find(this.#app.db, { key, now }), now)
  }

  /** As `find`, in a transaction that changes the row: no other transaction changes it until this one ends. */
  async hold(tx: Tx, key: Buffer, now = this.#app.now()): Promise<Found | undefined> {
    return this.#found(key, await sessions.hold(tx, { key, now }), now)
  }

  #found(key: Buffer, row: SessionRow | undefined, now: Date): Found | undefined {
    const unsealed = row && this.#unseal(key, row.payload)
    if (!row || !unsealed) return undefined
    const { endsAt } = row
    const lasts = span(unsealed.session)
    const sealedAt = endsAt.getTime() - lasts
    return holds(sealedAt, lasts, now) ? { ...unsealed, sealedAt, endsAt } : undefined
  }

  /** Makes a row, and returns the ID it goes by. Throws when the user is gone. */
  async insert(tx: Tx, session: Session): Promise<string> {
    const id = randomId()
    const key = rowKey(id)
    const userId = session.login?.userId ?? null
    const payload = this.#seal(key, session)
    await sessions.insert(tx, { key, userId, payload, endsAt: endOf(session, this.#app.now()) })
    return id
  }

  /** Keeps what a session has become, and deletes its row when nothing is left. */
  async keep(tx: Tx, key: Buffer, session: Session, endsAt: Date): Promise<void> {
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
    // Only `#seal` seals for a row, so the text is a session, perhaps of an older version.
    const unsealed = { key, session: JSON.parse(sealed.text) as Session, stale: sealed.stale }
    if (this.#unsealed.size >= keptAtMost) this.#unsealed.clear()
    if (payload.length <= longestKept) this.#unsealed.set(payload, unsealed)
    return unsealed
  }
}

/** When a session ends that is visited now. */
export function endOf(session: Session, now: Date): Date {
  return new Date(now.getTime() + span(session))
}

function contextOf(key: Buffer): string {
  return key.toString('hex')
}
