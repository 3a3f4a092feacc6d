import { sessions } from '#db/sessions'
import { recordReplacedCookie } from '../../domain/logins/replaced-by-login.ts'
import { noteEvery } from '../../base/lifetimes.ts'
import { type CookieForm, cookieForm, cookieValue, dropCookie, setCookie } from './cookie.ts'
import { nameOf, ReplacedCookies } from './replaced-cookies.ts'
import { readCookie } from './session-cookie.ts'
import { isAnother, isChanged, isConfirmedAnew, merged } from './session-merge.ts'
import { type Name, openName, rowKey, sealName } from './session-name.ts'
import { endOf, isShort, SessionRows, withoutDeletedUser } from './session-rows.ts'
import {
  type ClosingRequest,
  endedSession,
  fitting,
  isEmpty,
  type Opened,
  type SessionStore,
  type SetCookie,
  type Taken,
  unopened,
} from './session-store.ts'
import { type Session, span, withoutShownOnce } from './session.ts'
import { writeSession } from './write-session.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

/** A session in a row. */
interface OpenedRow extends Opened {
  readonly id: string
}

const namesAtMost = 2_000

/**
 * Stores sessions in rows; the cookie holds only the ID, sealed. A request's changes are merged into the row
 * as it is when the request ends. A deleted row is not made again: a late answer revives no session.
 */
export class SessionTable implements SessionStore {
  readonly #app: App
  readonly #form: CookieForm
  readonly #rows: SessionRows
  readonly #replaced: ReplacedCookies
  // Keyed by the cookie's text; the row is read for each request.
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
    if (!name) return openFromCookie(this.#app, value)
    if (this.#names.size >= namesAtMost) this.#names.clear()
    this.#names.set(value, name)
    return this.#read(name)
  }

  isReplaced(opened: Opened, arrivedAt: number): boolean {
    return this.#replaced.successorSince(nameOf(opened), arrivedAt) !== undefined
  }

  close(opened: Opened, after: Session, request: ClosingRequest): SetCookie | Promise<SetCookie> {
    const session = after.login ? after : fitting(after, isShort)
    if (isUnchanged(opened, session, this.#app.now())) return undefined
    const save = () => this.#save(opened, session, request)
    return this.#replaced.saveUnlessReplaced(opened, session, { request, save })
  }

  #save(opened: Opened, session: Session, request: ClosingRequest): SetCookie | Promise<SetCookie> {
    if (!hasRow(opened)) return this.#insert(opened, session)
    if (isAnother(opened.session, session) || isConfirmedAnew(opened.session, session))
      return this.#renew(opened, session)
    if (isChanged(opened.session, session)) return this.#change(opened, session)
    return this.#visit(opened, request)
  }

  async #read(name: Name): Promise<Opened> {
    const stored = await this.#rows.find(name.key)
    if (!stored) return { ...endedSession, deletedId: name.id }
    const { session, sealedAt } = stored
    const stale = name.stale || stored.stale
    const opened = { id: name.id, session, hasCookie: true, sealedAt, stale }
    return { ...opened, take: () => this.#takeOrDoubt(opened) }
  }

  /** What was perhaps taken is shown: twice at worst, where a new token could otherwise be lost for good. */
  #takeOrDoubt(opened: OpenedRow): Promise<Taken> {
    return writeSession(this.#app.db, { work: (tx) => this.#take(tx, opened) })
  }

  async #insert(opened: Opened, session: Session): Promise<string> {
    if (isEmpty(session)) return dropCookie(this.#form)
    const old = nameOf(opened)
    const { id, savedSession } = await writeSession(this.#app.db, {
      work: async (tx) => {
        const savedSession = await withoutDeletedUser(tx, session)
        return { id: await this.#rows.insert(tx, savedSession), savedSession }
      },
      isWritten: (tx, inserted) => this.#rows.isInserted(tx, inserted),
    })
    if (old) this.#replaced.record(old, { session: savedSession, name: id })
    return this.#cookie(id, savedSession)
  }

  /**
   * Gives another login, or one just confirmed, another session ID, which is unknown to whoever knew the old
   * one.
   */
  async #renew(opened: OpenedRow, session: Session) {
    const key = rowKey(opened.id)
    const { isDeleted, inserted } = await writeSession(this.#app.db, {
      work: async (tx) => {
        const remaining = await withoutDeletedUser(tx, session)
        const savedSession = isConfirmedAnew(opened.session, remaining)
          ? await this.#confirmed(tx, opened, remaining)
          : remaining
        const isDeleted = await sessions.delete(tx, key)
        if (isEmpty(savedSession)) return { isDeleted }
        return {
          isDeleted,
          inserted: { id: await this.#rows.insert(tx, savedSession), savedSession },
        }
      },
      isWritten: async (tx, { inserted }) =>
        inserted ? this.#rows.isInserted(tx, inserted) : !(await this.#rows.hold(tx, key)),
    })
    if (inserted) {
      this.#replaced.record(opened.id, { session: inserted.savedSession, name: inserted.id })
      return this.#cookie(inserted.id, inserted.savedSession)
    }
    // If the row was gone, another request came first and has set the browser's cookie.
    return isDeleted ? dropCookie(this.#form) : undefined
  }

  /**
   * Merges a confirmation into the row, which another is about to replace. Recorded as for a login: requests
   * sent with the old ID must not end it.
   */
  async #confirmed(tx: Tx, opened: OpenedRow, session: Session): Promise<Session> {
    await recordReplacedCookie(this.#app, tx, opened.id)
    const stored = await this.#rows.hold(tx, rowKey(opened.id))
    return stored ? merged(opened.session, session, stored.session) : session
  }

  async #change(opened: OpenedRow, session: Session) {
    const now = this.#app.now()
    const savedSession = await writeSession(this.#app.db, {
      work: (tx) => this.#rewrite(tx, opened, { session, now }),
      isWritten: async (tx, written = {}) => {
        const stored = await this.#rows.hold(tx, rowKey(opened.id))
        return !isChanged(stored?.session ?? {}, written)
      },
    })
    if (!savedSession) return undefined
    if (isEmpty(savedSession)) return dropCookie(this.#form)
    return isFresh(opened, now) ? undefined : this.#cookie(opened.id, savedSession)
  }

  /**
   * Renews a session in the background: a page that only reads must not wait for a writer (security: promises
   * under faults).
   */
  #visit(opened: OpenedRow, request: ClosingRequest): SetCookie {
    // The time of the visit, since the row may be written later.
    const now = this.#app.now()
    if (isFresh(opened, now)) return undefined
    const { session } = opened
    const work = this.#app.db.transaction((tx) => this.#rewrite(tx, opened, { session, now }))
    request.background('session seen', work)
    return this.#cookie(opened.id, session)
  }

  /** Merges the changes into the row, and returns the result, or undefined if the row is gone. */
  async #rewrite(
    tx: Tx,
    opened: OpenedRow,
    { session, now }: { session: Session; now: Date },
  ): Promise<Session | undefined> {
    const key = rowKey(opened.id)
    const stored = await this.#rows.hold(tx, key, now)
    if (!stored) return undefined
    const mergedSession = merged(opened.session, session, stored.session)
    // Another request may have restarted the session's span a moment ago.
    const keepsSpan = isFresh(opened, now) || isFresh(stored, now)
    if (!keepsSpan || isChanged(stored.session, mergedSession))
      await this.#rows.save(
        tx,
        key,
        mergedSession,
        keepsSpan ? stored.endsAt : endOf(mergedSession, now),
      )
    return mergedSession
  }

  async #take(tx: Tx, opened: OpenedRow): Promise<Taken> {
    const session = withoutShownOnce(opened.session)
    const key = rowKey(opened.id)
    const stored = await this.#rows.hold(tx, key)
    // A session whose row is gone counts as fresh, so that no more cookies are sent for it.
    const sealedAt = this.#app.now().getTime()
    if (!stored) return { shows: session, opened: { ...opened, session, sealedAt, stale: false } }
    const remaining = merged(opened.session, session, stored.session)
    if (isChanged(stored.session, remaining))
      await this.#rows.save(tx, key, remaining, stored.endsAt)
    const taken = Object.entries(stored.session).filter(([name]) => !Object.hasOwn(remaining, name))
    const shows = { ...session, ...Object.fromEntries(taken) }
    return {
      shows,
      opened: isEmpty(remaining) ? { ...endedSession, session } : { ...opened, session },
    }
  }

  #cookie(id: string, session: Session): string {
    return setCookie(this.#form, sealName(this.#app, id), span(session))
  }
}

/** Opens a session stored whole in its cookie, from before sessions had rows: this request gives it one. */
function openFromCookie(app: App, value: string): Opened {
  const opened = readCookie(app, value)
  return opened ? { ...opened, text: value, stale: true } : unopened
}

/** Whether the browser may keep its cookie. That of a lost session stays until a page clears its history. */
function isUnchanged(opened: Opened, session: Session, now: Date): boolean {
  if (isEmpty(session)) return !opened.hasCookie
  return session === opened.session && (hasRow(opened) ? isFresh(opened, now) : !opened.stale)
}

/** Whether a session was sealed with the first key less than a minute ago. */
function isFresh({ stale, sealedAt }: Pick<Opened, 'stale' | 'sealedAt'>, now: Date): boolean {
  return !stale && now.getTime() - sealedAt < noteEvery.session
}

function hasRow(opened: Opened): opened is OpenedRow {
  return opened.id !== undefined
}
