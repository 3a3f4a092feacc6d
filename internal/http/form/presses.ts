import { setTimeout as pause } from 'node:timers/promises'
import { findUser } from '../../domain/logins/check-login.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { sha256Text } from '../../base/crypto/random.ts'
import { fieldsToValidate } from '../page/protocol.ts'
import { broughtTo } from '../session/new-session.ts'
import { nameOf } from '../session/replaced-cookies.ts'
import { isAnother, merged } from '../session/session-merge.ts'
import { hasEnded, unopened } from '../session/session-store.ts'
import type { Answer } from '../answer.ts'
import type { App } from '../../app.ts'
import type { Context, Done } from '../context.ts'
import type { Session } from '../session/session.ts'

/** Something that a person pressed. */
interface Press {
  /** The ID of the request that brought the press first. */
  readonly request: string
  /** A hash of what was asked for: fields may hold a password. */
  readonly content: string
  /** The ID of the user who was logged in then. */
  readonly user: number | undefined
  /** When that was, by `performance.now()`. */
  readonly at: number
  /** Resolves with what came of the press; with undefined where nothing was done. */
  readonly done: Promise<WhenDone | undefined>
}

/** `at`: when it was done, by `performance.now()`. `from`: the name of the cookie that the press came with. */
type WhenDone = Done & { readonly at: number; readonly from: string }

// Far more than come in a moment. With their sessions, and bodies of so many characters at most, they take about 12 MB.
const most = 2_000
const longestBody = 4_096
// Milliseconds, in which any form is answered but one whose handler hangs.
const longestWait = 30_000

/**
 * What was pressed a moment ago, by the ID that the page client gives each press (`X-Page-Press`). If a connection
 * breaks before any of the answer came, the browser sends the form again by itself (against RFC 9110, 9.2.2), or the
 * person presses again: the same ID with the same fields gets the same answer, and nothing is done twice. What the
 * press changed in the session is changed in the one that the browser has now. Kept in memory, which is bounded where
 * rows would not be: presses before a start of the server, or on another one, are not known.
 */
export class Presses {
  readonly #app: App
  readonly #known = new Map<string, Press>()

  constructor(app: App) {
    this.#app = app
  }

  /** The answer that the same press got before; undefined where the press is still to be done. */
  async answered(c: Context): Promise<Answer | undefined> {
    if (!isPress(c)) return undefined
    const id = idOf(c)
    if (id === undefined) {
      this.#dropOld(c)
      return undefined
    }
    const content = contentOf(c)
    for (;;) {
      const before = this.#known.get(id)
      if (before?.content !== content || !isFresh(before)) break
      const done = await doneOf(before)
      const answer = done && (await this.#againTo(c, done))
      if (answer) {
        c.again = before.request
        return answer
      }
      // There is no answer to repeat: of the requests that waited the first one does the work now, and the others wait
      // for its answer.
      if (this.#known.get(id) === before) this.#known.delete(id)
    }
    this.#dropOld(c)
    this.#note(id, c, content)
    return undefined
  }

  async #againTo(c: Context, done: WhenDone): Promise<Answer | undefined> {
    const session = await this.#sessionAfter(c, done)
    if (!session) return undefined
    c.session = session
    // A session that the browser got before the repeated answer was made is not newer than that answer.
    c.came = Math.max(c.came, done.at)
    return done.answer
  }

  #note(id: string, c: Context, content: string): void {
    const { promise: done, resolve } = Promise.withResolvers<WhenDone | undefined>()
    const press = { request: c.id, content, user: c.visitor?.user.id, at: performance.now(), done }
    const from = nameOf(c.opened ?? unopened)
    this.#known.delete(id)
    this.#known.set(id, press)
    c.settlePress = (made) => {
      resolve(made && isDone(made, c) ? { ...made, from, at: performance.now() } : undefined)
    }
  }

  /** Drops the user's earlier presses, whose answers may not be true after this one, and those too old or too many. */
  #dropOld({ visitor }: Context): void {
    for (const [id, press] of this.#known) {
      const isPast = visitor !== undefined && press.user === visitor.user.id
      if (isPast || !isFresh(press) || this.#known.size >= most) this.#known.delete(id)
    }
  }

  /** The browser's session with what the press changed in it; undefined when the answer is not for this browser. */
  async #sessionAfter(c: Context, done: WhenDone): Promise<Session | undefined> {
    const session = sessionAfter(c, done)
    const { login } = session ?? {}
    if (!login || login.id === c.visitor?.login.id) return session
    // The login may have ended since.
    const found = await findUser(this.#app, login, { isVisit: false, request: c.id })
    return found && session
  }
}

/** What a press did; undefined as well where that is not known in time. */
function doneOf({ done }: Press): Promise<WhenDone | undefined> {
  const known = new AbortController()
  const late = pause(longestWait, undefined, { ref: false, signal: known.signal })
  return Promise.race([done, late]).finally(() => known.abort())
}

function sessionAfter(c: Context, done: WhenDone): Session | undefined {
  if (!isTheirs(c, done)) return undefined
  const { before, after } = done
  const { session: now } = c.opened ?? unopened
  if (after === before) return now
  return after.login && after.login.id !== now.login?.id
    ? { ...broughtTo(after.login, now), ...after }
    : merged(before, after, now)
}

/** Whether the browser that presses again may get the answer to the first press. */
function isTheirs(
  { opened = unopened, visitor }: Context,
  { before, after, from }: WhenDone,
): boolean {
  const [was, is] = [before.login?.id, after.login?.id]
  // The browser may have the cookie of the first answer, and only the page that it led to was lost.
  if (visitor) return visitor.login.id === was || visitor.login.id === is
  const isSameCookie = nameOf(opened) === from
  // A press that made or ended a login may have deleted the session that it came with. A session that is lost otherwise
  // has no challenges to spend.
  if (hasEnded(opened)) return isSameCookie && was !== is
  const { session: now } = opened
  return (isSameCookie || hasToSpend(now, { before, after })) && !isAnother(before, now)
}

/**
 * Whether a session has the challenges that the press used up. Without them the request is a copy of what another
 * browser sent, with the answer of its passkey.
 */
function hasToSpend(
  { challenges: had = [] }: Session,
  { before, after }: Pick<Done, 'before' | 'after'>,
): boolean {
  const spent = (before.challenges ?? []).filter((one) => !after.challenges?.includes(one))
  return spent.every((one) => had.includes(one))
}

function isPress(c: Context): boolean {
  return c.fields !== undefined && !fieldsToValidate(c)
}

/** undefined for a form that was sent without the page client. */
function idOf(c: Context): string | undefined {
  const id = c.header('x-page-press')
  return id !== undefined && pressId.test(id) ? id : undefined
}

// At least 16 characters, so that no two people have the same.
const pressId = /^[\w+/=-]{16,128}$/

function contentOf(c: Context): string {
  const { method, url, fields = [] } = c
  return sha256Text(JSON.stringify([method, url, c.header('x-page-user'), ...fields]))
}

function isFresh({ at }: Press): boolean {
  return performance.now() - at < lifetimes.press
}

/** Whether the answer may be repeated. What was refused, or failed, may go well a moment later, and is tried again. */
function isDone({ answer: { status, body } }: Done, { isRefused }: Context): boolean {
  // 409 names a document to load instead (contract: Page protocol).
  const isAnswer = !isRefused && (status < 400 || status === 409)
  return isAnswer && typeof body === 'string' && body.length <= longestBody
}
