import { paths } from '../../web/contract/paths.ts'
import { emailKey } from '../base/email.ts'
import { holds, lifetimes } from '../base/lifetimes.ts'
import { localPath } from '../base/local-path.ts'
import { whereRefused } from './cookies-refused.ts'
import { isLook } from './head-or-prefetch.ts'
import { cameFrom, loginEnded, redirect, refused, turnAway } from './reply.ts'
import { type Answer, text } from './answer.ts'
import { textOf } from './body/fields.ts'
import { isShownTo } from './session/shown-to.ts'
import { keepDraft } from './session/draft.ts'
import { endedUser, hasJustEnded } from './session/ended-user.ts'
import { hasEnded } from './session/session-store.ts'
import { withFlash } from './session/session.ts'
import type { Context, UserContext } from './context.ts'

/** Answers to turn a request away, and returns undefined to let it through (spec: Route guards). */
type Guard<C extends Context> = (c: C) => Answer | undefined

export interface Guarded<C extends Context> {
  readonly guards: readonly Guard<C>[]
}

/** Whom a route is for that a guest may come to. */
export interface Guests extends Guarded<Context> {
  readonly forUsers: false
}

/** Whom a route is for that only users come to. Its guards, and its handler, are given who it is. */
export interface Users extends Guarded<UserContext> {
  readonly forUsers: true
}

/** The answer that turns a request away, or undefined to let it through. */
export function turnedAway<C extends Context>(c: C, { guards }: Guarded<C>): Answer | undefined {
  for (const guard of guards) {
    const answer = guard(c)
    if (answer) return answer
  }
  return undefined
}

/** Whether somebody is logged in. Throws when that could not be looked up. */
export function hasUser(c: Context): c is UserContext {
  if (c.failure) throw c.failure
  return c.visitor !== undefined
}

/** Turns a guest away from where only users may be. */
export function sentToLogIn(c: Context): Answer {
  // A page that asks by itself reads no other page.
  if (c.unasked) return text(401, c.words.guards.users)
  tellEnded(c)
  rememberPage(c)
  return turnAway(c, whereRefused(c) ?? paths.login, { status: 401, message: c.words.guards.users })
}

function notLoggedIn(c: Context): Answer | undefined {
  if (!c.visitor) return undefined
  return redirect(
    c,
    paths.dashboard,
    isForAnother(c) ? { error: c.words.flash.isLoggedIn } : undefined,
  )
}

/** Whether what was typed is dropped, and is not that of who is logged in: such a form may have been sent twice. */
function isForAnother(c: Context): boolean {
  const { method, fields, visitor, wantsJson } = c
  if (method === 'GET' || !fields || wantsJson || isLook(c)) return false
  return emailKey(textOf(fields, 'email')) !== visitor?.user.emailKey
}

/**
 * Turns away what changes something for a user whom the page it was asked on was not shown to: somebody else has logged
 * in since, in another tab of the same browser. What the page showed and what was typed there is of the one before.
 */
export function sentByAnother(c: Context): Answer | undefined {
  if (c.method === 'GET' || !c.visitor || isShownTo(c, c.visitor.user.id)) return undefined
  const message = c.words.flash.anotherIsLoggedIn
  c.session = withFlash(c.session, { error: message })
  return turnAway(c, cameFrom(c, paths.dashboard), { status: 409, message })
}

/** The same for a mailed link that is for guests: who is logged in is told why it does not open. */
function linkOfGuests(why: 'registerLoggedIn' | 'resetLoggedIn' | 'askLoggedIn'): Guard<Context> {
  return (c) => {
    if (!c.visitor) return undefined
    return redirect(c, paths.dashboard, isLook(c) ? undefined : { error: c.words.flash[why] })
  }
}

/** Whether the login still waits is told by its row. */
function waitsForCode(c: Context): Answer | undefined {
  if (c.session.waiting !== undefined) return undefined
  if (c.method === 'GET' || c.wantsJson || !c.opened || hasEnded(c.opened)) return loginEnded(c)
  // What waited is over, and its session too: a code that is typed then is told so, as one is within it.
  return refused(c, paths.login, c.words.flash.waitOver)
}

function emailVerified(c: UserContext): Answer | undefined {
  if (c.visitor.user.emailVerifiedAt) return undefined
  if (isLedAway(c)) c.session = withFlash(c.session, { error: c.words.flash.verifyFirst })
  return turnAway(c, paths['verification.notice'], {
    status: 403,
    message: c.words.guards.verified,
  })
}

/** What leads to the dashboard by itself: nobody asked for it there. */
const entrances = new Set<string | undefined>([
  undefined,
  paths.login,
  paths.register,
  paths['password.request'],
  paths['two-factor.login'],
])

/** Whether it was a page of their own choice that the person does not get to see, and nothing else is told them of it. */
function isLedAway(c: UserContext): boolean {
  if (isLook(c) || c.unasked || c.wantsJson || c.session.flash) return false
  if (c.ownPage !== paths.dashboard) return true
  return !entrances.has(cameFrom(c, undefined)?.replace(/\?.*/, ''))
}

function recentlyConfirmed(c: UserContext): Answer | undefined {
  const { confirmedAt = 0 } = c.session
  if (holds(confirmedAt, lifetimes.confirmation, c.app.now())) return undefined
  if (c.method !== 'GET') turnFormAway(c, c.visitor.user.id, c.words.flash.confirmFirst)
  rememberPage(c)
  return turnAway(c, paths['password.confirm'], { status: 423, message: c.words.guards.confirmed })
}

function rememberPage(c: Context): void {
  // Nobody is on the way to what was only looked at, or to what a page asks for by itself.
  if (!isLook(c) && !c.unasked) c.session = { ...c.session, wanted: wantedPage(c) }
}

/** Says that a login is over: the one that the browser came with, or that the page of a form was shown to. */
function tellEnded(c: Context): void {
  const userId = endedUser(c)
  if (userId !== undefined) c.session = { ...c.session, endedUser: userId }
  if (c.method !== 'GET' || hasJustEnded(c)) turnFormAway(c, userId, c.words.flash.loginEnded)
}

/** Two messages with the same reason: the second says that what was typed is kept. */
interface TurnAwayWords {
  readonly noDraft: string
  readonly draftKept: string
}

/** Says why the person has to go another way first, and keeps what they typed if it was a form. */
function turnFormAway(c: Context, userId: number | undefined, words: TurnAwayWords): void {
  if (isLook(c)) return
  const isKept = keepDraft(c, { userId, page: pageOfForm(c, c.ownPage) })
  c.session = withFlash(c.session, { error: isKept ? words.draftKept : words.noDraft })
}

/** Of a form, the page that it was on: the form itself cannot be sent again for the user. */
function wantedPage(c: Context): string {
  const otherwise = paths.dashboard
  const asked = c.method === 'GET' ? localPath(c.url) : pageOfForm(c, otherwise)
  const page = asked ?? otherwise
  // Nobody is on the way to where the password is asked for, but to the page behind it.
  return asksWho(page) ? (c.opened?.session.wanted ?? otherwise) : page
}

/** A form may be sent as its page goes by itself to where it is asked who somebody is. */
function pageOfForm(c: Context, otherwise: string | undefined): string | undefined {
  const page = cameFrom(c, otherwise)
  return page !== undefined && asksWho(page) ? c.ownPage : page
}

function asksWho(page: string): boolean {
  const [path = ''] = page.split('?', 1)
  return path === paths.login || path === paths['password.confirm']
}

export const everyone: Guests = { forUsers: false, guards: [] }
export const guests: Guests = { forUsers: false, guards: [notLoggedIn] }
export const guestsToRegister: Guests = {
  forUsers: false,
  guards: [linkOfGuests('registerLoggedIn')],
}
export const guestsToReset: Guests = { forUsers: false, guards: [linkOfGuests('resetLoggedIn')] }
/** Mails of notices lead there too. */
export const guestsToAsk: Guests = { forUsers: false, guards: [linkOfGuests('askLoggedIn')] }
export const waiting: Guests = { forUsers: false, guards: [notLoggedIn, waitsForCode] }
export const users: Users = { forUsers: true, guards: [] }
export const verified: Users = { forUsers: true, guards: [emailVerified] }
/** The same, and the password typed within three hours (spec: Password confirmation). */
export const confirmedUsers: Users = { forUsers: true, guards: [recentlyConfirmed] }
export const confirmedVerified: Users = {
  forUsers: true,
  guards: [emailVerified, recentlyConfirmed],
}
