import { sessions } from '#db/sessions'
import { users } from '#db/users'
import { noteEvery } from '../../base/lifetimes.ts'
import { type CookieForm, cookieForm, cookieValue, dropCookie, setCookie } from './cookie.ts'
import { nameOf, ReplacedCookies } from './replaced-cookies.ts'
import { readCookie } from './session-cookie.ts'
import { isAnother, isChanged, merged } from './session-merge.ts'
import { type Name, openName, rowKey, sealName } from './session-name.ts'
import { endOf, SessionRows } from './session-rows.ts'
import {
  type Closing,
  ended,
  fitting,
  isEmpty,
  type Opened,
  type SessionStore,
  type SetCookie,
  type Taken,
  unopened,
} from './session-store.ts'
import { loggedOut, type Session, span, withoutShownOnce } from './session.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

/** A session that has a row. */
interface OpenedRow extends Opened {
  readonly id: string
}

const namesAtMost = 2_000
// Anybody may have a row without logging in, and another with each request: it holds about what a cookie would.
const longestOfGuest = 4_096

/**
 * Sessions that are kept in rows, of which the cookie holds only the ID, sealed. What a request changed is merged into
 * the row as it is at the end of the request. A row that is gone is not made again: a late answer revives no session.
 */
export class SessionTable implements SessionStore {
  readonly #app: App
  readonly #form: CookieForm
  readonly #rows: SessionRows
  readonly #replaced: ReplacedCookies
  // By the cookie's text; the row is read again for each request.
  readonly #names = new Map<string, Name>()

  constructor(app: App) {
    this.#app = app
    this.#form = cookieForm(app.config, 'session')
    this.#rows = new SessionRows(app)
    this.#replaced = new ReplacedCookies(app)
  }

  open(header: string | undefined): Opened | Promise<Opened> {
    const value = cookieValue(header, this.#form.name)
    if (value === undefined) return unopened
    const name = this.#names.get(value) ?? openName(this.#app, value)
    if (!name) return takenOver(this.#app, value)
    if (this.#names.size >= namesAtMost) this.#names.clear()
    this.#names.set(value, name)
    return this.#read(name)
  }

  isReplaced(opened: Opened, came: number): boolean {
    return this.#replaced.since(nameOf(opened), came) !== undefined
  }

  close(opened: Opened, left: Session, request: Closing): SetCookie | Promise<SetCookie> {
    const session = left.login ? left : fitting(left, isShort)
    if (isAsItWas(opened, session, this.#app.now())) return undefined
    const keep = () => this.#keep(opened, session, request)
    return this.#replaced.keepUnlessGaveWay(opened, session, { request, keep })
  }

  #keep(opened: Opened, session: Session, request: Closing): SetCookie | Promise<SetCookie> {
    if (!hasRow(opened)) return this.#insert(opened, session)
    if (isAnother(opened.session, session)) return this.#renew(opened, session)
    if (isChanged(opened.session, session)) return this.#change(opened, session)
    return this.#visit(opened, request)
  }

  async #read(name: Name): Promise<Opened> {
    const found = await this.#rows.find(name.key)
    if (!found) return { ...ended, gone: name.id }
    const { session, sealedAt } = found
    const stale = name.stale || found.stale
    const opened = { id: name.id, session, hasCookie: true, sealedAt, stale }
    return { ...opened, take: () => this.#app.db.transaction((tx) => this.#take(tx, opened)) }
  }

  async #insert(opened: Opened, session: Session): Promise<string> {
    if (isEmpty(session)) return dropCookie(this.#form)
    const old = nameOf(opened)
    const { id, kept } = await this.#app.db.transaction(async (tx) => {
      const kept = await standing(tx, session)
      return { id: await this.#rows.insert(tx, kept), kept }
    })
    if (old) this.#replaced.note(old, { session: kept, name: id })
    return this.#cookie(id, kept)
  }

  /** Another login is another session: its ID is known to nobody who knew the old one. */
  async #renew({ id }: OpenedRow, session: Session) {
    const { isThere, another, kept } = await this.#app.db.transaction(async (tx) => {
      const kept = await standing(tx, session)
      const isThere = await sessions.delete(tx, rowKey(id))
      const another = isEmpty(kept) ? undefined : await this.#rows.insert(tx, kept)
      return { isThere, another, kept }
    })
    if (another !== undefined) {
      this.#replaced.note(id, { session: kept, name: another })
      return this.#cookie(another, kept)
    }
    // If the row was gone, another request was first, and has set the browser's cookie.
    return isThere ? dropCookie(this.#form) : undefined
  }

  async #change(opened: OpenedRow, session: Session) {
    const now = this.#app.now()
    const kept = await this.#app.db.transaction((tx) => this.#rewrite(tx, opened, { session, now }))
    if (!kept) return undefined
    if (isEmpty(kept)) return dropCookie(this.#form)
    return isFresh(opened, now) ? undefined : this.#cookie(opened.id, kept)
  }

  /** Beside the request: a page that only reads must not wait for a writer (security: promises under faults). */
  #visit(opened: OpenedRow, request: Closing): SetCookie {
    // The time of the visit: the row may be written later.
    const now = this.#app.now()
    if (isFresh(opened, now)) return undefined
    const { session } = opened
    const work = this.#app.db.transaction((tx) => this.#rewrite(tx, opened, { session, now }))
    request.background('session seen', work)
    return this.#cookie(opened.id, session)
  }

  /** What the session has become, or undefined when its row is gone. */
  async #rewrite(
    tx: Tx,
    opened: OpenedRow,
    { session, now }: { session: Session; now: Date },
  ): Promise<Session | undefined> {
    const key = rowKey(opened.id)
    const found = await this.#rows.hold(tx, key, now)
    if (!found) return undefined
    const made = merged(opened.session, session, found.session)
    // Another request may have restarted the session's span a moment ago.
    const keeps = isFresh(opened, now) || isFresh(found, now)
    if (!keeps || isChanged(found.session, made))
      await this.#rows.keep(tx, key, made, keeps ? found.endsAt : endOf(made, now))
    return made
  }

  async #take(tx: Tx, opened: OpenedRow): Promise<Taken> {
    const session = withoutShownOnce(opened.session)
    const key = rowKey(opened.id)
    const found = await this.#rows.hold(tx, key)
    // A session whose row is gone counts as fresh, so that no cookie is sent for it any more.
    const sealedAt = this.#app.now().getTime()
    if (!found) return { shows: session, opened: { ...opened, session, sealedAt, stale: false } }
    const left = merged(opened.session, session, found.session)
    if (isChanged(found.session, left)) await this.#rows.keep(tx, key, left, found.endsAt)
    const taken = Object.entries(found.session).filter(([name]) => !Object.hasOwn(left, name))
    const shows = { ...session, ...Object.fromEntries(taken) }
    return { shows, opened: isEmpty(left) ? { ...ended, session } : { ...opened, session } }
  }

  #cookie(id: string, session: Session): string {
    return setCookie(this.#form, sealName(this.#app, id), span(session))
  }
}

/** A session that came whole in its cookie, from before there were rows: it has one from this request on. */
function takenOver(app: App, value: string): Opened {
  const found = readCookie(app, value)
  return found ? { ...found, text: value, stale: true } : unopened
}

/**
 * The session to be kept, logged out if the account was deleted since the login was made or found (security rule 21).
 * Holds the row of the user until the transaction ends.
 */
async function standing(tx: Tx, session: Session): Promise<Session> {
  const { login } = session
  if (!login || (await users.hold(tx, login.userId))) return session
  return fitting(loggedOut(session), isShort)
}

/** Whether the browser may keep its cookie. A lost session's stays until a page has the browser clear its history. */
function isAsItWas(opened: Opened, session: Session, now: Date): boolean {
  if (isEmpty(session)) return !opened.hasCookie
  return session === opened.session && (hasRow(opened) ? isFresh(opened, now) : !opened.stale)
}

/** Whether a session was sealed with the first key, less than a minute ago. */
function isFresh({ stale, sealedAt }: Pick<Opened, 'stale' | 'sealedAt'>, now: Date): boolean {
  return !stale && now.getTime() - sealedAt < noteEvery.session
}

function isShort(session: Session): boolean {
  return Buffer.byteLength(JSON.stringify(session)) <= longestOfGuest
}

function hasRow(opened: Opened): opened is OpenedRow {
  return opened.id !== undefined
}
