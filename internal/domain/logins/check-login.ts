import { logins } from '#db/logins'
import { holds, noteEvery } from '../../base/lifetimes.ts'
import { mostUnread } from '../../../web/contract/limits.ts'
import { fingerprint, lifetime, type Login, loginKey } from './make-login.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import type { Visit } from '../../db/logins.ts'
import type { User } from '../../db/users.ts'

/** The logged-in user that a request comes from. */
export interface Visitor {
  readonly user: User
  readonly login: Login
  /** How many passkeys the user has. */
  readonly passkeys: number
  /** How many notifications are unread, counted up to `mostUnread`. */
  readonly unread: number
}

/**
 * Returns the visitor of a login, or undefined if the login no longer stands: its row is gone or has ended, the
 * user is gone, or the password has changed since (spec: Route guards 5). A visit restarts the login's span;
 * if that fails, the failure is logged with the `request`'s ID.
 */
export async function findVisitor(
  app: App,
  login: Login,
  { isVisit = true, request }: { isVisit?: boolean; request?: string } = {},
): Promise<Visitor | undefined> {
  const visit = await findVisit(app.db, app, login)
  if (!visit) return undefined
  const now = app.now()
  if (isVisit && now.getTime() - visit.lastSeenAt.getTime() >= noteEvery.visit) {
    // In the background: a page that only reads must not wait for a writer (security: promises under faults).
    app.background(
      'login seen',
      markSeen(app, derivedOf(login).key, { now, remember: login.remember }),
      { request },
    )
  }
  return { user: visit, login, passkeys: visit.passkeys, unread: visit.unread }
}

/** Does the same for a change, which an ended login must not make. Restarts no span. */
export async function findVisit(db: Db, app: App, login: Login): Promise<Visit | undefined> {
  // A session of another version of the service may lack either ID (spec: Sessions and logins 3).
  if (typeof login.id !== 'string' || typeof login.userId !== 'number') return undefined
  const { key } = derivedOf(login)
  const visit = await logins.visit(db, key, { now: app.now(), mostUnread })
  if (visit?.id !== login.userId) return undefined
  if (!holds(visit.lastSeenAt, lifetime(visit.remember), app.now())) return undefined
  return isMadeWith(login, visit.passwordHash) ? visit : undefined
}

/** Returns whether the login was made with the password of this hash. */
function isMadeWith(login: Login, passwordHash: string): boolean {
  const derived = derivedOf(login)
  if (derived.passwordHash === passwordHash) return true
  if (fingerprint(passwordHash) !== login.fingerprint) return false
  derived.passwordHash = passwordHash
  return true
}

interface Derived {
  readonly key: Buffer
  /** The hash that the fingerprint last matched. */
  passwordHash?: string
}

// Cached as long as the session's object lives: hashing the ID and the password hash on each request took a
// fifteenth of a page's time.
const derivedOfAll = new WeakMap<Login, Derived>()

function derivedOf(login: Login): Derived {
  let derived = derivedOfAll.get(login)
  if (!derived) {
    derived = { key: loginKey(login.id) }
    derivedOfAll.set(login, derived)
  }
  return derived
}

async function markSeen(
  app: App,
  key: Buffer,
  { now, remember }: { now: Date; remember: boolean },
) {
  const endsAt = new Date(now.getTime() + lifetime(remember))
  const before = new Date(now.getTime() - noteEvery.visit)
  await logins.markSeen(app.db.unsynced, { key, now, endsAt, before })
}
