import { paths } from '../../web/contract/paths.ts'
import { emailKey } from '../base/email.ts'
import { holds, lifetimes } from '../base/lifetimes.ts'
import { localPath } from '../base/network/local-path.ts'
import { whereRefused } from './cookies-refused.ts'
import { isLook } from './head-or-prefetch.ts'
import { cameFrom, loginEnded, redirect, refuse, turnAway } from './reply.ts'
import { type Answer, text } from './answer.ts'
import { textOf } from './body/fields.ts'
import { isShownTo } from './session/shown-to.ts'
import { keepDraft } from './session/draft.ts'
import { endedUser, hasJustEnded } from './session/ended-user.ts'
import { hasEnded } from './session/session-store.ts'
import { withFlash } from './session/session.ts'
import type { Context, UserContext } from './context.ts'

/** Returns the answer that turns a request away, or undefined to let it through (spec: Route guards). */
type Guard<C extends Context> = (c: C) => Answer | undefined

export interface Guarded<C extends Context> {
  readonly guards: readonly Guard<C>[]
}

/** A route open to guests. */
export interface Guests extends Guarded<Context> {
  readonly forUsers: false
}

/** A route for users only: its guards and its handler receive the user. */
export interface Users extends Guarded<UserContext> {
  readonly forUsers: true
}

/** Runs the guards; returns the first answer that turns the request away, or undefined. */
export function runGuards<C extends Context>(c: C, { guards }: Guarded<C>): Answer | undefined {
  for (const guard of guards) {
    const answer = guard(c)
    if (answer) return answer
  }
  return undefined
}

/** Whether somebody is logged in. Throws if the lookup failed. */
export function hasUser(c: Context): c is UserContext {
  if (c.failure) throw c.failure
  return c.visitor !== undefined
}

/** Turns a guest away from a route for users. */
export function sendToLogIn(c: Context): Answer {
  // Background requests have no use for the login page.
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

/** Whether a guest's form names an email other than the user's; one with the user's own may be sent twice. */
function isForAnother(c: Context): boolean {
  const { method, fields, visitor, wantsJson } = c
  if (method === 'GET' || !fields || wantsJson || isLook(c)) return false
  return emailKey(textOf(fields, 'email')) !== visitor?.user.emailKey
}

/**
 * Turns away a change from a page that was rendered for another user: somebody else has since logged in, in
 * another tab of the same browser. What that page showed, and what was typed there, is the other user's.
 */
export function refuseFormOfAnother(c: Context): Answer | undefined {
  if (c.method === 'GET' || !c.visitor || isShownTo(c, c.visitor.user.id)) return undefined
  const message = c.words.flash.anotherIsLoggedIn
  c.session = withFlash(c.session, { error: message })
  return turnAway(c, cameFrom(c, paths.dashboard), { status: 409, message })
}

/** Turns a user away from a mailed link meant for guests, and tells them why it does not open. */
function linkOfGuests(why: 'registerLoggedIn' | 'resetLoggedIn' | 'askLoggedIn'): Guard<Context> {
  return (c) => {
    if (!c.visitor) return undefined
    return redirect(c, paths.dashboard, isLook(c) ? undefined : { error: c.words.flash[why] })
  }
}

/** The session only names the login that waits for its code; its row tells later whether it still waits. */
function waitsForCode(c: Context): Answer | undefined {
  if (c.session.waiting !== undefined) return undefined
  if (c.method === 'GET' || c.wantsJson || !c.opened || hasEnded(c.opened)) return loginEnded(c)
  // The session has ended, and the waiting login with it: tell whoever sends a code now. If the session still
  // exists, `showLogin` tells them.
  return refuse(c, paths.login, c.words.flash.waitOver)
}

function emailVerified(c: UserContext): Answer | undefined {
  if (c.visitor.user.emailVerifiedAt) return undefined
  if (isLedAway(c)) c.session = withFlash(c.session, { error: c.words.flash.verifyFirst })
  return turnAway(c, paths['verification.notice'], {
    status: 403,
    message: c.words.guards.verified,
  })
}

/** Pages that go on to the dashboard: whoever comes from there did not choose the dashboard. */
const entrances = new Set<string | undefined>([
  undefined,
  paths.login,
  paths.register,
  paths['password.request'],
  paths['two-factor.login'],
])

/** Whether to tell the person why they are redirected: they chose this page, and no other message says it. */
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
  // Prefetched pages and background requests are not where the person wants to go.
  if (!isLook(c) && !c.unasked) c.session = { ...c.session, wanted: wantedPage(c) }
}

/** Tells the person that a login has ended: the browser's, or that of the user a form was rendered for. */
function tellEnded(c: Context): void {
  const userId = endedUser(c)
  if (userId !== undefined) c.session = { ...c.session, endedUser: userId }
  if (c.method !== 'GET' || hasJustEnded(c)) turnFormAway(c, userId, c.words.flash.loginEnded)
}

/** Two messages for one reason: `draftKept` adds that what was typed is kept. */
interface TurnAwayWords {
  readonly noDraft: string
  readonly draftKept: string
}

/** Says why the person must go elsewhere first, and keeps what they typed if it was a form. */
function turnFormAway(c: Context, userId: number | undefined, words: TurnAwayWords): void {
  if (isLook(c)) return
  const isKept = keepDraft(c, { userId, page: pageOfForm(c, c.ownPage) })
  c.session = withFlash(c.session, { error: isKept ? words.draftKept : words.noDraft })
}

/** Returns the page to go to later; for a form, its page, since the form is not sent again for the user. */
function wantedPage(c: Context): string {
  const otherwise = paths.dashboard
  const requested = c.method === 'GET' ? localPath(c.url) : pageOfForm(c, otherwise)
  const page = requested ?? otherwise
  // The goal is never a page that asks for the password, but the page behind it.
  return asksWho(page) ? (c.opened?.session.wanted ?? otherwise) : page
}

/** Returns the page of a form. If it has just redirected to a login, the Referer names the login page. */
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
/** For the page that requests a reset link; notice mails link to it, too. */
export const guestsToAsk: Guests = { forUsers: false, guards: [linkOfGuests('askLoggedIn')] }
export const waiting: Guests = { forUsers: false, guards: [notLoggedIn, waitsForCode] }
export const users: Users = { forUsers: true, guards: [] }
export const verified: Users = { forUsers: true, guards: [emailVerified] }
/** Users who confirmed within three hours that it is them (spec: Password confirmation). */
export const confirmedUsers: Users = { forUsers: true, guards: [recentlyConfirmed] }
export const confirmedVerified: Users = {
  forUsers: true,
  guards: [emailVerified, recentlyConfirmed],
}
