import { setTimeout as pause } from 'node:timers/promises'
import { findVisitor } from '../../domain/logins/check-login.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { sha256Text } from '../../base/crypto/random.ts'
import { fieldsToValidate } from '../page/protocol.ts'
import { broughtTo } from '../session/new-session.ts'
import { nameOf } from '../session/replaced-cookies.ts'
import { isPlain } from './failed-form.ts'
import { isAnother, isConfirmedAnew, merged } from '../session/session-merge.ts'
import { hasEnded, unopened } from '../session/session-store.ts'
import type { Answer } from '../answer.ts'
import type { App } from '../../app.ts'
import type { Context, PressOutcome } from '../context.ts'
import type { Session } from '../session/session.ts'

/** A press of a button by a person. */
interface Press {
  /** The ID of the first request of the press. */
  readonly request: string
  /** A hash of the request: its fields may hold a password. */
  readonly content: string
  /** The ID of the user who was logged in at the time. */
  readonly user: number | undefined
  /** When it was recorded, by `performance.now()`. */
  readonly at: number
  /** How long its answer may be repeated, in milliseconds. */
  readonly lifetime: number
  /** Resolves with the outcome of the press; with undefined if nothing was done. */
  readonly outcome: Promise<RecordedOutcome | undefined>
}

/** `at`: when it was done, by `performance.now()`. `sessionName`: the name of the cookie it came with. */
type RecordedOutcome = PressOutcome & { readonly at: number; readonly sessionName: string }

// Far more than arrive in a moment. With their sessions, and bodies up to so many characters, about 12 MB.
const most = 2_000
const longestBody = 4_096
// Milliseconds in which every form is answered, unless its handler hangs.
const longestWait = 30_000

/**
 * Recent presses by the ID that the page client gives each (`X-Page-Press`). If a connection breaks before
 * any of the answer arrives, the browser resends the form (against RFC 9110, 9.2.2), or the person presses
 * again: the same ID with the same fields gets the same answer, and nothing is done twice. The press's
 * changes to the session are applied to the browser's current one. A form sent without the client has no ID:
 * the same user's same fields from one address within moments are a double click. Kept in bounded memory, unlike rows:
 * presses before a restart, or on another server, are not known.
 */
export class Presses {
  readonly #app: App
  readonly #known = new Map<string, Press>()

  constructor(app: App) {
    this.#app = app
  }

  /** Returns the earlier answer to the same press; undefined if the press is still to be done. */
  async answerAgain(c: Context): Promise<Answer | undefined> {
    if (!isPress(c)) return undefined
    const content = contentOf(c)
    const id = idOf(c, content)
    if (id === undefined) {
      this.#dropOld(c)
      return undefined
    }
    for (;;) {
      const earlier = this.#known.get(id)
      if (earlier?.content !== content || !isFresh(earlier)) break
      const outcome = await outcomeOf(earlier)
      const answer = outcome && (await this.#repeatFor(c, outcome))
      if (answer) {
        c.repeatOf = earlier.request
        return answer
      }
      // There is no answer to repeat: the first of the waiting requests does the work now, and the others
      // wait for its answer.
      if (this.#known.get(id) === earlier) this.#known.delete(id)
    }
    this.#dropOld(c)
    this.#note(id, c, content)
    return undefined
  }

  async #repeatFor(c: Context, outcome: RecordedOutcome): Promise<Answer | undefined> {
    const session = await this.#sessionAfter(c, outcome)
    if (!session) return undefined
    c.session = session
    // A session that the browser got before the repeated answer was made is older than that answer.
    c.arrivedAt = Math.max(c.arrivedAt, outcome.at)
    return outcome.answer
  }

  #note(id: string, c: Context, content: string): void {
    const { promise: outcome, resolve } = Promise.withResolvers<RecordedOutcome | undefined>()
    const press = {
      request: c.id,
      content,
      user: c.visitor?.user.id,
      at: performance.now(),
      lifetime: hasId(c) ? lifetimes.press : lifetimes.plainPress,
      outcome,
    }
    const sessionName = nameOf(c.opened ?? unopened)
    this.#known.delete(id)
    this.#known.set(id, press)
    c.settlePress = (outcome) => {
      resolve(
        outcome && isRepeatable(outcome, c)
          ? { ...outcome, sessionName, at: performance.now() }
          : undefined,
      )
    }
  }

  /** Drops the user's earlier presses, whose answers this one may outdate, and those too old or too many. */
  #dropOld({ visitor }: Context): void {
    const now = performance.now()
    for (const [id, press] of this.#known) {
      const isPast = visitor !== undefined && press.user === visitor.user.id
      if (isPast || !isFresh(press, now) || this.#known.size >= most) this.#known.delete(id)
    }
  }

  /** Applies the press's changes to the browser's session; undefined if the answer is for another browser. */
  async #sessionAfter(c: Context, outcome: RecordedOutcome): Promise<Session | undefined> {
    const session = sessionAfter(c, outcome)
    const { login } = session ?? {}
    if (!login || login.id === c.visitor?.login.id) return session
    // The login may have ended since.
    const visitor = await findVisitor(this.#app, login, { isVisit: false, request: c.id })
    return visitor && session
  }
}

/** Waits for the outcome of a press; undefined also if it takes too long. */
function outcomeOf({ outcome }: Press): Promise<RecordedOutcome | undefined> {
  const settled = new AbortController()
  const late = pause(longestWait, undefined, { ref: false, signal: settled.signal })
  return Promise.race([outcome, late]).finally(() => settled.abort())
}

function sessionAfter(c: Context, outcome: RecordedOutcome): Session | undefined {
  if (!mayGetAnswer(c, outcome)) return undefined
  const { before, after } = outcome
  const { session: now } = c.opened ?? unopened
  if (after === before) return now
  return after.login && after.login.id !== now.login?.id
    ? { ...broughtTo(after.login, now), ...after }
    : merged(before, after, now)
}

/** Whether the browser that repeats a press may get the first answer. */
function mayGetAnswer(c: Context, { before, after, sessionName }: RecordedOutcome): boolean {
  const { opened = unopened, visitor } = c
  const [oldLogin, newLogin] = [before.login?.id, after.login?.id]
  const isSameCookie = nameOf(opened) === sessionName
  // Others can guess what names a press without an ID: a copy of an older cookie must not get a newer login or secret.
  const isSameAccess = !isAnother(after, opened.session) && !isConfirmedAnew(after, opened.session)
  if (!hasId(c) && !isSameCookie && !isSameAccess) return false
  // The browser may have got the first answer's cookie, and lost only the page that it redirected to.
  if (visitor) return visitor.login.id === oldLogin || visitor.login.id === newLogin
  // A press that made, ended or confirmed a login may have deleted its session. A session lost otherwise has no
  // challenges to spend.
  if (hasEnded(opened))
    return isSameCookie && (oldLogin !== newLogin || isConfirmedAnew(before, after))
  const { session: now } = opened
  return (isSameCookie || hasToSpend(now, { before, after })) && !isAnother(before, now)
}

/**
 * Whether a session has the challenges that the press used up. Otherwise the request is a copy of what
 * another browser sent, with its passkey's answer.
 */
function hasToSpend(
  { challenges: had = [] }: Session,
  { before, after }: Pick<PressOutcome, 'before' | 'after'>,
): boolean {
  const spent = (before.challenges ?? []).filter((one) => !after.challenges?.includes(one))
  return spent.every((one) => had.includes(one))
}

function isPress(c: Context): boolean {
  return c.fields !== undefined && !fieldsToValidate(c)
}

/** Returns what tells the press from others; undefined if nothing does. */
function idOf(c: Context, content: string): string | undefined {
  const id = c.header('x-page-press')
  if (id !== undefined) return pressId.test(id) ? id : undefined
  const userId = c.opened?.session.login?.userId
  // Only browsers send this header: a program may well mean to do the same thing twice.
  const isByBrowser = isPlain(c) && c.header('sec-fetch-mode') === 'navigate'
  return isByBrowser && userId !== undefined ? `plain:${userId}:${c.address}:${content}` : undefined
}

function hasId(c: Context): boolean {
  return c.header('x-page-press') !== undefined
}

// At least 16 characters, to be unique across people; no colon, which `plain:` has.
const pressId = /^[\w+/=-]{16,128}$/

function contentOf(c: Context): string {
  const { method, url, fields = [] } = c
  return sha256Text(JSON.stringify([method, url, c.header('x-page-user'), ...fields]))
}

function isFresh({ at, lifetime }: Press, now = performance.now()): boolean {
  return now - at < lifetime
}

/** Whether the answer may be repeated. What was refused or failed may succeed a moment later: retry it. */
function isRepeatable({ answer: { status, body } }: PressOutcome, { isRefused }: Context): boolean {
  // 409 names a document to load instead (contract: Page protocol).
  const isAnswer = !isRefused && (status < 400 || status === 409)
  return isAnswer && typeof body === 'string' && body.length <= longestBody
}
