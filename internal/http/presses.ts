import { setTimeout as pause } from 'node:timers/promises'
import { findUser } from '../domain/logins/check-login.ts'
import { lifetimes } from '../base/lifetimes.ts'
import { sha256Text } from '../base/crypto/random.ts'
import { fieldsToValidate } from './page/protocol.ts'
import { broughtTo } from './session/new-session.ts'
import { nameOf } from './session/replaced-cookies.ts'
import { isAnother, merged } from './session/session-merge.ts'
import { hasEnded, unopened } from './session/session-store.ts'
import type { Answer } from './answer.ts'
import type { App } from '../app.ts'
import type { Context, Done } from './context.ts'
import type { Session } from './session/session.ts'

/** Something that a person pressed. */
interface Press {
  /** The request that brought it first. */
  readonly request: string
  /** A hash of what was asked for: fields may hold a password. */
  readonly content: string
  /** Who was logged in then. */
  readonly user: number | undefined
  /** As `performance.now()` has it. */
  readonly at: number
  /** undefined where nothing was done. */
  readonly done: Promise<WhenDone | undefined>
}

/** With the time from which on that is so, told as for `Press`, and what the cookie is noted by that the press came with. */
type WhenDone = Done & { readonly at: number; readonly from: string }

// Far more than come in a moment, and how long a body may be, in characters: about 12 MB with what sessions hold.
const most = 2_000
const longestBody = 4_096
// Milliseconds, in which any form is answered but one whose handler hangs.
const longestWait = 30_000

/**
 * What was pressed a moment ago, by the ID that the page client gives each press (`X-Page-Press`). Where a connection breaks
 * before any of the answer came, a browser sends a form again by itself (RFC 9110, 9.2.2, has it not), and else the person
 * presses again: the same ID with the same fields is answered as it was, and not done once more. What it did to the session
 * is done to that which the browser has now. Kept in memory, which is bounded where rows would not be: what was pressed before
 * a start, or came to another server, is not known.
 */
export class Presses {
  readonly #app: App
  readonly #known = new Map<string, Press>()

  constructor(app: App) {
    this.#app = app
  }

  /** The answer to the same press before; undefined where it is to be done. */
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
      const done = await Promise.race([before.done, pause(longestWait, undefined, { ref: false })])
      const answer = done && (await this.#againTo(c, done))
      if (answer) {
        c.again = before.request
        return answer
      }
      // Of several that have waited the first one does it, and the others wait for that.
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
    // What the browser has got since then alone is newer than this answer.
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

  /** What somebody has done since, in another tab or elsewhere, may have changed what the answer to the press before tells. */
  #dropOld({ visitor }: Context): void {
    for (const [id, press] of this.#known) {
      const isPast = visitor !== undefined && press.user === visitor.user.id
      if (isPast || !isFresh(press) || this.#known.size >= most) this.#known.delete(id)
    }
  }

  /** The session that the press leaves of what the browser has now; undefined where the answer is nothing for it. */
  async #sessionAfter(c: Context, done: WhenDone): Promise<Session | undefined> {
    const session = sessionAfter(c, done)
    const { login } = session ?? {}
    if (!login || login.id === c.visitor?.login.id) return session
    // It may have ended since.
    const found = await findUser(this.#app, login, { isVisit: false, request: c.id })
    return found && session
  }
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

/** Whether whoever presses again may have the answer to the press before. */
function isTheirs(
  { opened = unopened, visitor }: Context,
  { before, after, from }: WhenDone,
): boolean {
  const [was, is] = [before.login?.id, after.login?.id]
  // The browser may have the cookie of the first answer, and only the page that it led to was lost.
  if (visitor) return visitor.login.id === was || visitor.login.id === is
  const isSameCookie = nameOf(opened) === from
  // A press that made or ended a login may have deleted its session. Any other lost session has nothing to spend.
  if (hasEnded(opened)) return isSameCookie && was !== is
  const { session: now } = opened
  return (isSameCookie || hasToSpend(now, { before, after })) && !isAnother(before, now)
}

/**
 * Whether a session has the challenges that the press used up: the answer of another browser's passkey is no good here, a copy
 * of all that was sent with it neither.
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

/** undefined for what a form without the script has sent. */
function idOf(c: Context): string | undefined {
  const id = c.header('x-page-press')
  return id !== undefined && pressId.test(id) ? id : undefined
}

// Of 16 letters at least, so that no two people have the same.
const pressId = /^[\w+/=-]{16,128}$/

function contentOf(c: Context): string {
  const { method, url, fields = [] } = c
  return sha256Text(JSON.stringify([method, url, c.header('x-page-user'), ...fields]))
}

function isFresh({ at }: Press): boolean {
  return performance.now() - at < lifetimes.press
}

/** Whether the answer says what was done, to whoever has it again. What was refused, or failed, may do a moment later. */
function isDone({ answer: { status, body } }: Done, { isRefused }: Context): boolean {
  // 409: what is loaded in its place (contract: Page protocol).
  const isAnswer = !isRefused && (status < 400 || status === 409)
  return isAnswer && typeof body === 'string' && body.length <= longestBody
}
